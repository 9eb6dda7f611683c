// Draws what a question's `chart` describes. One colour a contestant in all charts; a bar over a dot is min to max.
import * as Plot from '@observablehq/plot'
import { parseHTML } from 'linkedom'

const COLOURS = {
  raw: '#8a8a8a',
  troupe: '#c2410c',
  'troupe-isolated': '#fb923c',
  'troupe-chatopenai': '#fdba74',
  ai: '#1d4ed8',
  'openai-agents': '#0d9488',
  langchain: '#7c3aed',
  deepagents: '#be185d',
}
const colourOf = (name) => COLOURS[name] ?? COLOURS.troupe
const isShown = ({ median }) => Number.isFinite(median)
const LABEL_HEIGHT = 13
const frame = (document) => ({ document, width: 760, inset: 8, style: { background: 'white', fontSize: '11px' } })
const short = (value) => String(Number(value.toPrecision(3)))

const kinds = {
  /** A median and its extremes for each contestant, on a logarithmic axis. */
  dots(document, { x, rows }) {
    const positive = rows.filter((row) => isShown(row) && row.min > 0)
    const facet = positive.some(({ group }) => group) ? { fy: 'group' } : {}
    const at = { y: 'name', ...facet }
    return Plot.plot({
      ...frame(document),
      marginLeft: 150,
      marginRight: facet.fy ? 130 : 60,
      x: { type: 'log', label: x, grid: true, tickFormat: short },
      y: { label: null, domain: [...new Set(rows.map(({ name }) => name))] },
      fy: { label: null },
      marks: [
        Plot.ruleY(positive, { ...at, x1: 'min', x2: 'max', stroke: ({ name }) => colourOf(name), strokeWidth: 2 }),
        Plot.dot(positive, { ...at, x: 'median', fill: ({ name }) => colourOf(name), r: 4.5 }),
        Plot.text(positive, { ...at, x: 'max', text: (d) => short(d.median), dx: 8, textAnchor: 'start' }),
        Plot.frame({ stroke: '#ddd' }),
      ],
    })
  },

  /** The same from zero, for figures that may be nothing at all. */
  bars(document, { x, rows, absent = '–' }) {
    const shown = rows.filter(isShown)
    const without = rows.filter((row) => !isShown(row))
    const facet = shown.some(({ group }) => group) ? { fy: 'group' } : {}
    const at = { y: 'name', ...facet }
    return Plot.plot({
      ...frame(document),
      marginLeft: 150,
      marginRight: facet.fy ? 130 : 60,
      x: { label: x, grid: true },
      y: { label: null, domain: [...new Set(rows.map(({ name }) => name))] },
      fy: { label: null },
      marks: [
        Plot.barX(shown, { ...at, x: 'median', fill: ({ name }) => colourOf(name) }),
        Plot.text(without, { ...at, x: 0, text: () => absent, dx: 8, textAnchor: 'start' }),
        Plot.ruleY(shown, { ...at, x1: 'min', x2: 'max', stroke: '#222' }),
        Plot.text(shown, { ...at, x: 'max', text: (d) => short(d.median), dx: 8, textAnchor: 'start' }),
        Plot.ruleX([0]),
      ],
    })
  },

  /** A line for each contestant over a load, both axes logarithmic. */
  lines(document, { x, y, rows }) {
    const shown = rows.filter((row) => isShown(row) && row.min > 0)
    const stroke = ({ name }) => colourOf(name)
    const draft = {
      ...frame(document),
      marginLeft: 60,
      marginRight: 130,
      x: { type: 'log', label: x, grid: true, tickFormat: short, ticks: [...new Set(shown.map((row) => row.x))] },
      y: { type: 'log', label: y, grid: true, tickFormat: short },
      marks: [
        Plot.line(shown, { x: 'x', y: 'median', z: 'name', stroke, strokeWidth: 2 }),
        Plot.ruleX(shown, { x: 'x', y1: 'min', y2: 'max', stroke }),
        Plot.dot(shown, { x: 'x', y: 'median', fill: stroke }),
      ],
    }
    const { apply } = Plot.plot(draft).scale('y')
    const labels = apart(lastOf(shown), apply).map(({ row, dy }) =>
      Plot.text([row], { x: 'x', y: 'median', text: 'name', fill: stroke, dx: 8, dy, textAnchor: 'start' }),
    )
    return Plot.plot({ ...draft, marks: [...draft.marks, ...labels] })
  },
}

const lastOf = (rows) => [...new Map(rows.toSorted((a, b) => a.x - b.x).map((row) => [row.name, row])).values()]

/** Moves labels down where they would lie on one another; `apply` says how high a value stands. */
function apart(rows, apply) {
  let free = Number.NEGATIVE_INFINITY
  return rows
    .map((row) => ({ row, at: apply(row.median) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ row, at }) => {
      const stands = Math.max(at, free)
      free = stands + LABEL_HEIGHT
      return { row, dy: stands - at }
    })
}

/** An SVG file's text. */
export function draw(description) {
  const { document } = parseHTML('<!doctype html><html><body></body></html>')
  const svg = kinds[description.kind](document, description)
  svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  return `${svg.outerHTML}\n`
}

// Tables and charts of what was measured; nothing here measures.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { draw } from './chart.mjs'
import { questions } from './questions.mjs'
import { table } from './table.mjs'

const at = (path) => new URL(`../${path}`, import.meta.url)

export function readResults() {
  try {
    return JSON.parse(readFileSync(at('results.json'), 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return { questions: {} }
    throw new Error(`bench/results.json cannot be read (${error.message}); put it aside and measure again`)
  }
}

/** No reader needs more than five digits, and the file stays small. */
const shorten = (_, value) => (typeof value === 'number' ? Number(value.toPrecision(5)) : value)

function put(path, text) {
  const beside = at(`${path}.${process.pid}`)
  writeFileSync(beside, text)
  renameSync(beside, at(path))
}

/** Writes the data with one line for each measurement. */
export function writeResults(results) {
  const text = JSON.stringify(results, shorten, 1).replaceAll(/\{\s+"name"[^{}]+\}/g, (entry) =>
    entry.replaceAll(/\s*\n\s*/g, ' '),
  )
  put('results.json', `${text}\n`)
}

/** One question's part of the report. */
export async function section(name, { when, data }) {
  const { question, show } = await questions.load(name)
  return `## ${name}: ${question}\n\n${conditions(when)}\n\n${show(data)}`
}

function conditions({ date, command, rounds, warmup, load, partial, problems }) {
  const lines = [
    `${date}, \`${command}\`: up to ${rounds} rounds, interleaved; warmed by ${warmup} runs × 3 unless said otherwise; load average ${load.start} at the start, ${load.end} at the end.`,
  ]
  if (partial) lines.push('**Interrupted**: what was measured until then.')
  for (const problem of problems) lines.push(`Problem: ${problem}`)
  return lines.join('\n\n')
}

const HEAD = `# Results

Written by \`npm run bench\`; [README.md](README.md) says what was measured and how to read it. Medians (min–max over rounds); ratios and differences are taken within one round. The data is in [results.json](results.json), and \`npm run bench -- report\` draws tables and charts from it again.`

/** Writes RESULTS.md and the charts from what results.json holds. */
export async function writeReport(results) {
  mkdirSync(at('charts/'), { recursive: true })
  const known = questions.names.filter((name) => results.questions[name])
  const parts = [
    HEAD,
    machines(known.map((name) => results.questions[name].when.machine)),
    await inShort(results, known),
  ]
  for (const name of known) {
    const { chart, question } = await questions.load(name)
    put(`charts/${name}.svg`, draw(chart(results.questions[name].data)))
    parts.push(`${await section(name, results.questions[name])}\n\n![${question}](charts/${name}.svg)`)
  }
  put('RESULTS.md', `${parts.filter(Boolean).join('\n\n')}\n`)
}

/** Machine and versions, once where all questions share them. */
function machines(list) {
  const different = [...new Set(list.map((machine) => JSON.stringify(machine)))].map((text) => JSON.parse(text))
  return different.map((machine) => table(['machine', ''], Object.entries(machine))).join('\n\n')
}

async function inShort({ questions: measured }, known) {
  const rows = []
  for (const name of known) {
    const { short } = await questions.load(name)
    if (short) rows.push(...short(measured[name].data).map((row) => [name, ...row]))
  }
  return rows.length > 0 ? `## In short\n\n${table(['question', 'figure', 'beside', 'value'], rows)}` : ''
}

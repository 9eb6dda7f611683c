import { code, list, plural, some } from '../prose.ts'

type Explain = (lines: readonly string[]) => readonly string[]

const section = (lines: readonly string[], heading: RegExp): readonly string[] => {
  const start = lines.findIndex((line) => heading.test(line.trim()))
  if (start < 0) return []
  const rest = lines.slice(start + 1)
  const end = rest.findIndex((line) => /^\[/.test(line.trim()))
  return rest.slice(0, end < 0 ? rest.length : end)
}

const keysOf = (value: unknown): string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : []

const named = (names: readonly string[], one: string, many = `${one}s`): string[] =>
  names.length > 0 ? [`${plural(names.length, one, many)} (${some(names.map(code), 6)})`] : []

const packageJson: Explain = (lines) => {
  let fields: Readonly<Record<string, unknown>>
  try {
    fields = JSON.parse(lines.join('\n'))
  } catch {
    return ['its beginning could not be parsed as JSON']
  }
  const dependencies = keysOf(fields?.['dependencies'])
  const development = keysOf(fields?.['devDependencies'])
  return [
    ...(typeof fields?.['name'] === 'string' ? [`package ${code(fields['name'])}`] : []),
    ...(dependencies.length > 0 ? named(dependencies, 'dependency', 'dependencies') : ['no dependencies']),
    ...(development.length > 0 ? [`${development.length} for development`] : []),
    ...named(keysOf(fields?.['scripts']), 'script'),
  ]
}

const entries = (lines: readonly string[]): string[] =>
  lines.flatMap((line) => /^\s*["']?([\w.@/-]+)["']?\s*=/.exec(line)?.[1] ?? [])

const cargo: Explain = (lines) =>
  named(entries(section(lines, /^\[dependencies\]$/)), 'crate it needs', 'crates it needs')

const requirements: Explain = (lines) =>
  named(
    lines.flatMap((line) => /^\s*([A-Za-z][\w.-]*)/.exec(line)?.[1] ?? []),
    'requirement',
  )

const goMod: Explain = (lines) => {
  const module = lines.flatMap((line) => /^module\s+(\S+)/.exec(line)?.[1] ?? [])
  return [
    ...module.map((name) => `module ${code(name)}`),
    ...named(
      lines.flatMap((line) => /^\s*(?:require\s+)?(\S+)\s+v\d/.exec(line)?.[1] ?? []),
      'required module',
    ),
  ]
}

const pyproject: Explain = (lines) => {
  const project = section(lines, /^\[(project|tool\.poetry)\]$/)
  const name = project.flatMap((line) => /^name\s*=\s*["'](.+?)["']/.exec(line)?.[1] ?? [])
  const start = project.findIndex((line) => /^dependencies\s*=\s*\[/.test(line))
  const listed =
    start < 0
      ? []
      : (project
          .slice(start)
          .join('\n')
          .replace(/\][\s\S]*/, '')
          .match(/["']([A-Za-z][\w.-]*)/g) ?? [])
  const poetry = entries(section(lines, /^\[tool\.poetry\.dependencies\]$/))
  return [
    ...name.map((text) => `project ${code(text)}`),
    ...named([...listed.map((text) => text.slice(1)), ...poetry], 'requirement'),
  ]
}

const makefile: Explain = (lines) =>
  named([...new Set(lines.flatMap((line) => /^([A-Za-z][\w.-]*)\s*:(?!=)/.exec(line)?.[1] ?? []))], 'target')

const dockerfile: Explain = (lines) => {
  const bases = lines.flatMap((line) => /^FROM\s+(?:--\S+\s+)?(\S+)/i.exec(line)?.[1] ?? [])
  return bases.length > 0 ? [`built on ${list(bases.map(code))}`] : []
}

const nothing: Explain = () => []

const KNOWN: ReadonlyMap<string, Explain> = new Map<string, Explain>([
  ['package.json', packageJson],
  ['pyproject.toml', pyproject],
  ['requirements.txt', requirements],
  ['Cargo.toml', cargo],
  ['go.mod', goMod],
  ['Makefile', makefile],
  ['Dockerfile', dockerfile],
  ...[
    'deno.json',
    'setup.py',
    'Gemfile',
    'composer.json',
    'pom.xml',
    'build.gradle',
    'build.gradle.kts',
    'CMakeLists.txt',
    'mix.exs',
    'Package.swift',
  ].map((name) => [name, nothing] as const),
])

/** Files that say what a project needs and how it is built. */
export const MANIFESTS: readonly string[] = [...KNOWN.keys()]

/** What a manifest says, as far as the script can read its kind. */
export const explainManifest = (name: string, lines: readonly string[]): string => {
  const facts = KNOWN.get(name)?.(lines) ?? []
  return facts.length > 0 ? facts.join(', ') : `${plural(lines.length, 'line')} of a kind the script does not read`
}

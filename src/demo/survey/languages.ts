const TABLE: Readonly<Record<string, string>> = {
  C: 'c h',
  'C++': 'cc cpp cxx hpp',
  'C#': 'cs',
  Clojure: 'clj',
  CSS: 'css scss less',
  Dart: 'dart',
  Elixir: 'ex exs',
  Erlang: 'erl',
  Go: 'go',
  Haskell: 'hs',
  HTML: 'html htm',
  Java: 'java',
  JavaScript: 'js mjs cjs jsx',
  Julia: 'jl',
  Kotlin: 'kt kts',
  Lua: 'lua',
  OCaml: 'ml',
  Perl: 'pl pm',
  PHP: 'php',
  Python: 'py',
  R: 'r',
  Ruby: 'rb',
  Rust: 'rs',
  Scala: 'scala',
  Shell: 'sh bash zsh',
  SQL: 'sql',
  Svelte: 'svelte',
  Swift: 'swift',
  TypeScript: 'ts mts cts tsx',
  Vue: 'vue',
  Zig: 'zig',
}

const LANGUAGES: ReadonlyMap<string, string> = new Map(
  Object.entries(TABLE).flatMap(([name, extensions]) => extensions.split(' ').map((extension) => [extension, name])),
)

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** `ts` of `a/b.ts`; `''` for a name without one. */
export const extensionOf = (path: string): string => {
  const name = nameOf(path)
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 ? name.slice(dot + 1).toLowerCase() : ''
  // `libc.so.6`, `notes.from last week`: a dot alone makes no type.
  return /^(?!\d+$)[a-z0-9+]{1,10}$/.test(extension) ? extension : ''
}

/** The programming language of a file by its extension, or `null`. */
export const languageOf = (path: string): string | null => LANGUAGES.get(extensionOf(path)) ?? null

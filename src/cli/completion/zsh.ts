import { heading, type Outline } from './outline.ts'

/** Text inside single quotes, where zsh's own functions still read the signs given. */
const quoted = (text: string, signs: RegExp): string =>
  text.replace(signs, (sign) => `\\${sign}`).replaceAll("'", `'\\''`)

const valueSpec = (flag: Outline['flags'][number][1]): string => {
  if (flag.type === 'boolean') return ''
  const action = { file: '_files', thread: '_troupe_threads' } as const
  const { completes } = flag
  const how = typeof completes === 'string' ? action[completes] : completes ? `(${completes.join(' ')})` : ' '
  return `:${flag.value ?? 'VALUE'}:${how}`
}

const flagSpec = ([name, flag]: Outline['flags'][number]): string => {
  const about = `[${quoted(flag.about, /[[\]:\\]/g)}]`
  return `'--${name}${flag.type === 'boolean' ? '' : '='}${about}${valueSpec(flag)}'`
}

const commandCase = ({ name, flags, words }: Outline): string => {
  const named = words === 'thread' ? '_troupe_threads' : `(${words.join(' ')})`
  const specs = [...flags.map(flagSpec), ...(words.length > 0 ? [`'1:word:${named}'`] : [])]
  return `    ${name}) _arguments -S ${specs.join(' \\\n      ')} ;;`
}

export const zshScript = (outlines: readonly Outline[]): string => `\
#compdef troupe
${heading('zsh', `echo 'source <(troupe completion zsh)' >> ~/.zshrc   # below the line with compinit`)}
_troupe_threads() {
  local -a ids
  ids=("\${TROUPE_HOME:-.troupe}"/threads/*(N:t))
  compadd -a ids
}

_troupe() {
  local -a commands
  commands=(
${outlines.map(({ name, about }) => `    '${quoted(`${name}`, /:/g)}:${quoted(about, /\\/g)}'`).join('\n')}
  )
  if ((CURRENT == 2)); then
    if [[ $PREFIX == -* ]]; then _arguments '--help[Show help]' '--version[Show the version]'
    else _describe 'command' commands
    fi
    return
  fi
  shift words
  ((CURRENT--))
  case $words[1] in
${outlines.map(commandCase).join('\n')}
  esac
}

if [[ $funcstack[1] == _troupe ]]; then _troupe "$@"; else compdef _troupe troupe; fi
`

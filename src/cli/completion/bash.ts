import { heading, type Outline } from './outline.ts'

const THREADS = '"$(_troupe_threads)"'

const valueSpec = (flag: Outline['flags'][number][1]): string => {
  if (flag.completes === 'file') return '_troupe_files'
  if (flag.completes === 'thread') return `_troupe_words ${THREADS}`
  return flag.completes ? `_troupe_words '${flag.completes.join(' ')}'` : ':'
}

/** The flags that take a value: after one of them nothing else is offered. */
const afterFlag = ({ name, flags }: Outline): string[] =>
  flags
    .filter(([, { type }]) => type !== 'boolean')
    .map(([flag, about]) => `    ${name}:--${flag}) ${valueSpec(about)}; return ;;`)

const offered = ({ name, flags, words }: Outline): string => {
  const names = flags.map(([flag]) => `--${flag}`).join(' ')
  const named = words === 'thread' ? THREADS : `'${words.join(' ')}'`
  return `    ${name}) if [[ $cur == -* ]]; then _troupe_words '${names}'; else _troupe_words ${named}; fi ;;`
}

export const bashScript = (outlines: readonly Outline[]): string => `\
${heading('bash', `echo 'source <(troupe completion bash)' >> ~/.bashrc`)}
_troupe_words() {
  local IFS=$' \\t\\n'
  COMPREPLY=($(compgen -W "$1" -- "$cur"))
}

_troupe_files() {
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen -f -- "$cur"))
}

_troupe_threads() {
  # compgen expands its words: only what can be no command gets there.
  command ls "\${TROUPE_HOME:-.troupe}/threads" 2>/dev/null | command grep -E '^[A-Za-z0-9_-]+$'
}

_troupe() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
  COMPREPLY=()
  # Bash splits --flag=value at the sign.
  if [[ $cur == = ]]; then cur=
  elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  if ((COMP_CWORD == 1)); then
    _troupe_words '${[...outlines.map(({ name }) => name), '--help', '--version'].join(' ')}'
    return
  fi
  case \${COMP_WORDS[1]}:$prev in
${outlines.flatMap(afterFlag).join('\n')}
  esac
  case \${COMP_WORDS[1]} in
${outlines.map(offered).join('\n')}
  esac
}

complete -F _troupe troupe
`

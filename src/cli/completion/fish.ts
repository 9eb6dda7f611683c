import { heading, type Outline } from './outline.ts'

const quoted = (text: string): string => `'${text.replace(/['\\]/g, (sign) => `\\${sign}`)}'`

const THREADS = `'(__troupe_threads)'`

const valueSpec = ({ type, completes }: Outline['flags'][number][1]): string => {
  if (type === 'boolean') return ''
  if (completes === 'file') return ' -r -F'
  if (completes === 'thread') return ` -x -a ${THREADS}`
  return completes ? ` -x -a ${quoted(completes.join(' '))}` : ' -x'
}

const linesOf = ({ name, about, flags, words }: Outline): string[] => {
  const within = `complete -c troupe -n '__troupe_command ${name}'`
  return [
    `complete -c troupe -n '__troupe_command' -a ${name} -d ${quoted(about)}`,
    ...flags.map(([flag, spec]) => `${within} -l ${flag}${valueSpec(spec)} -d ${quoted(spec.about)}`),
    ...(words.length > 0 ? [`${within} -a ${words === 'thread' ? THREADS : quoted(words.join(' '))}`] : []),
  ]
}

export const fishScript = (outlines: readonly Outline[]): string => `\
${heading('fish', 'troupe completion fish > ~/.config/fish/completions/troupe.fish')}
# Whether the command line is at this command, or still at none.
function __troupe_command
    set -l words (commandline -opc)
    test "$words[2]" = "$argv[1]"
end

function __troupe_threads
    set -q TROUPE_HOME; and set -l home $TROUPE_HOME; or set -l home .troupe
    command ls $home/threads 2>/dev/null
end

complete -c troupe -f
complete -c troupe -n '__troupe_command' -l help -d 'Show help'
complete -c troupe -n '__troupe_command' -l version -d 'Show the version'
${outlines.flatMap(linesOf).join('\n')}
`

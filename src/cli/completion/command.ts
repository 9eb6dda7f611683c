import { nearest } from '../../config/nearest.ts'
import type { Command } from '../command.ts'
import { EXIT } from '../exit.ts'
import { writeAll } from '../output.ts'
import { misuse, UsageError } from '../parse.ts'
import { bashScript } from './bash.ts'
import { fishScript } from './fish.ts'
import { type Outline, outlinesOf } from './outline.ts'
import { zshScript } from './zsh.ts'

const SCRIPTS: Readonly<Record<string, (outlines: readonly Outline[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

const SHELLS = Object.keys(SCRIPTS)

const scriptFor = (shell: string | undefined): ((outlines: readonly Outline[]) => string) => {
  const script = shell !== undefined && Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined
  if (script) return script
  if (shell === undefined) throw new UsageError(`Which shell? troupe completion ${SHELLS.join('|')}`)
  const close = nearest(shell, SHELLS)
  throw misuse`No completion for "${shell}". ${close ? `Did you mean ${close}?` : `Known are ${SHELLS.join(', ')}.`}`
}

/** Prints the script for a shell, made from the commands as they are. */
export const completionCommand = (commands: () => readonly Command[]): Command => ({
  name: 'completion',
  about: 'Print a script that completes commands, flags and files in your shell.',
  takes: SHELLS.join('|'),
  words: SHELLS,
  flags: {},
  examples: [
    [`echo 'source <(troupe completion bash)' >> ~/.bashrc`, 'bash'],
    [`echo 'source <(troupe completion zsh)' >> ~/.zshrc`, 'zsh, below the line with compinit'],
    ['troupe completion fish > ~/.config/fish/completions/troupe.fish', 'fish'],
  ],
  run: async ({ words }, { stdout }) => {
    await writeAll(stdout, scriptFor(words[0])(outlinesOf(commands())))
    return EXIT.ok
  },
})

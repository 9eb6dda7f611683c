type Env = Readonly<Record<string, string | undefined>>

const PROGRAMS = new Set([
  'ghostty',
  'Hyper',
  'iTerm.app',
  'mintty',
  'rio',
  'Tabby',
  'vscode',
  'WarpTerminal',
  'WezTerm',
])
const TERMS = /^(alacritty|contour|foot|xterm-ghostty|xterm-kitty|wezterm)/
// Terminals built on VTE, such as GNOME's, show links from 0.50 on.
const VTE_LEAST = 5000

/** Whether the terminal shows links (OSC 8), as far as its environment tells; `FORCE_HYPERLINK` of 0 or 1 decides. */
export const showsLinks = (env: Env): boolean => {
  const forced = env['FORCE_HYPERLINK']
  if (forced !== undefined && forced !== '') return forced !== '0'
  // A multiplexer inherits the variables of the terminal around it, and may swallow links.
  if (env['CI'] || env['TERM'] === 'dumb' || /^(screen|tmux)/.test(env['TERM'] ?? '')) return false
  return (
    PROGRAMS.has(env['TERM_PROGRAM'] ?? '') ||
    TERMS.test(env['TERM'] ?? '') ||
    Number(env['VTE_VERSION'] ?? 0) >= VTE_LEAST ||
    Boolean(env['WT_SESSION'] || env['KONSOLE_VERSION'] || env['DOMTERM'])
  )
}

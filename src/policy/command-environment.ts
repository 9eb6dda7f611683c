import type { AgentRef } from '../contract/envelopes.ts'

type Env = Readonly<Record<string, string | undefined>>

/** What commands are handed on of the host's environment, by name. Everything else is the host's own business. */
const HANDED_ON = new Set(
  [
    'PATH HOME USER LOGNAME SHELL HOSTNAME LANG LANGUAGE TZ TMPDIR TMP TEMP',
    'http_proxy https_proxy ftp_proxy all_proxy no_proxy HTTP_PROXY HTTPS_PROXY FTP_PROXY ALL_PROXY NO_PROXY',
    'SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE CURL_CA_BUNDLE GIT_SSL_CAINFO NIX_SSL_CERT_FILE',
    'XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME',
    'VIRTUAL_ENV CONDA_PREFIX PYENV_ROOT NVM_DIR NVM_BIN JAVA_HOME GOROOT GOPATH CARGO_HOME RUSTUP_HOME GEM_HOME DOTNET_ROOT',
  ].flatMap((line) => line.split(' ')),
)

/** Nobody is there to answer, to page or to see colours; and what is printed before a kill must not sit in a buffer. */
const QUIET: Readonly<Record<string, string>> = {
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  EDITOR: 'true',
  VISUAL: 'true',
  GIT_EDITOR: 'true',
  GIT_TERMINAL_PROMPT: '0',
  PIP_NO_INPUT: '1',
  DEBIAN_FRONTEND: 'noninteractive',
  PYTHONUNBUFFERED: '1',
}

const isHandedOn = (name: string): boolean => HANDED_ON.has(name) || name.startsWith('LC_')

/** The environment of commands: what is harmless of the host's, what keeps them quiet, and over both what was granted. */
export const commandEnvironment = (env: Env, granted: Readonly<Record<string, string>>): Record<string, string> => {
  const handedOn = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && isHandedOn(entry[0]),
  )
  return { ...Object.fromEntries(handedOn), ...QUIET, ...granted }
}

/** The variable by which processes are known that have left their group. */
const OWNER = 'TROUPE_OWNER'

/** The beginning of the marks of one runtime, of an id that no other has. */
export const runtimeMark = (id: string): string => `${OWNER}=${id}.`

/** What stands in the environment of every command of an agent and of no other; it begins with that of its runtime. */
export const commandMark = (ofRuntime: string, { slot, generation }: AgentRef): string =>
  `${ofRuntime}${slot}.${generation}.`

/** A mark as a variable. */
export const markVariable = (mark: string): Readonly<Record<string, string>> => ({
  [OWNER]: mark.slice(OWNER.length + 1),
})

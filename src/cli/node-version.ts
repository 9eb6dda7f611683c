/** The oldest Node that runs Troupe, as the package's `engines` has it: major and minor. */
export const NODE_LEAST = [20, 12] as const

/** What to say on a Node that is too old to load the rest; `null` on any other. */
export const oldNode = (version: string): string | null => {
  const [major = 0, minor = 0] = version.replace('v', '').split('.').map(Number)
  const [leastMajor, leastMinor] = NODE_LEAST
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return null
  return `error: Troupe needs Node ${NODE_LEAST.join('.')} or newer, and this is ${version}.\nInstall a newer one, from https://nodejs.org or with your version manager, and run the command again.\n`
}

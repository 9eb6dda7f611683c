/** Flags meant for the host, and the line to a parent of the host's own, have no place in a tool process. */
const NOT_FOR_CHILDREN = ['NODE_OPTIONS', 'NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE', 'NODE_UNIQUE_ID']

/** The environment of a tool process. The caller has taken the model keys out. */
export const childEnvironment = (env: Readonly<Record<string, string | undefined>>): Record<string, string> => {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !NOT_FOR_CHILDREN.includes(name)) kept[name] = value
  }
  return kept
}

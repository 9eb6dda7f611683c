/** Names of variables that hold what nobody else should see. */
const SECRET_NAME =
  /KEY|SECRET|TOKEN|PASS|CREDENTIAL|DSN|^PAT$|_PAT$|(?:DATABASE|REDIS|MONGO|POSTGRES|AMQP)\w*_UR[IL]$/i

/** Shorter values are in too many texts that have nothing to do with them. */
const LENGTH_MIN = 8
/** A plain word as a password is a word that outputs need: `postgres`, `password`. */
const PLAIN_WORD = /^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+)$/

export const isSecretName = (name: string): boolean => SECRET_NAME.test(name)

/** The password in a URL such as `http://user:password@proxy:8080`. */
const passwordIn = (value: string): readonly string[] => {
  const found = /^[a-z][a-z0-9+.-]*:\/\/[^/?#@]*:([^/?#@]+)@/i.exec(value)?.[1]
  return found === undefined ? [] : [found]
}

/** Values of an environment that are known as secrets, by the names of their variables or by their form. */
export const secretsIn = (env: Readonly<Record<string, string | undefined>>): readonly string[] =>
  Object.entries(env).flatMap(([name, value]) => {
    if (value === undefined) return []
    return [...(isSecretName(name) && !PLAIN_WORD.test(value) ? [value] : []), ...passwordIn(value)]
  })

/** What is long enough to be looked for, longest first: one may be a part of another. */
export const maskable = (values: readonly string[]): readonly string[] =>
  [...new Set(values)].filter((value) => value.length >= LENGTH_MIN).sort((a, b) => b.length - a.length)

/** `secrets` went through `maskable`. */
export const mask = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((masked, secret) => masked.replaceAll(secret, '[redacted]'), text)

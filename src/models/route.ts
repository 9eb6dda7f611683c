import type { ModelSettings } from '../contract/settings.ts'

/** Where the requests of one model go, worked out once. */
export interface Route {
  readonly secure: boolean
  readonly host: string
  readonly port: number
  readonly path: string
  /** `host:port`, as messages name it. */
  readonly address: string
  /** Names and values in turn: what every request of this model sends. */
  readonly headers: readonly string[]
}

const known = new WeakMap<ModelSettings, Route>()

/** The route of a model, or what is wrong with its settings. Settings live as long as a config revision. */
export const routeOf = (model: ModelSettings): Route | string => {
  const found = known.get(model)
  if (found !== undefined) return found
  const route = makeRoute(model)
  if (typeof route !== 'string') known.set(model, route)
  return route
}

const makeRoute = ({ baseUrl, apiKey }: ModelSettings): Route | string => {
  let url: URL
  try {
    url = new URL(baseUrl)
  } catch {
    // Not repeated: who mixed two variables up may have put a key there.
    return 'base_url is not a URL: it must begin with http:// or https://, and a host must follow'
  }
  const secure = url.protocol === 'https:'
  if (!secure && url.protocol !== 'http:')
    return `base_url begins with ${url.protocol} and must begin with http:// or https://`
  // Variables read from files often end in a newline; a key for a server that wants none is often empty.
  const key = apiKey === null ? '' : apiKey.trim()
  // Node would refuse such a header with an error that names neither the key nor the model.
  if (!/^[\x20-\x7e]*$/.test(key)) return 'api_key holds a character that cannot be sent'
  // Node wants an IPv6 address without the brackets of a URL.
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port)
  const folder = url.pathname.endsWith('/') ? url.pathname.slice(0, -1) : url.pathname
  return {
    secure,
    host,
    port,
    path: `${folder}/chat/completions${url.search}`,
    address: `${url.hostname}:${port}`,
    headers: [
      ...['host', url.host, 'user-agent', 'troupe', 'content-type', 'application/json'],
      ...(key === '' ? [] : ['authorization', `Bearer ${key}`]),
    ],
  }
}

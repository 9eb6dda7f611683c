import * as z from 'zod/mini'
import {
  count,
  entry,
  flag,
  label,
  list,
  map,
  named,
  optional,
  reference,
  referenceHeader,
  referenceSecret,
  referenceText,
  referenceUrl,
  seconds,
  section,
  text,
  wholeSeconds,
} from '../fields.ts'

export const acpAgents = named(
  entry({
    command: label,
    description: text,
    args: list(reference),
    env: map(reference),
    model: optional(text),
    auto_approve_permissions: flag(false),
    timeout_seconds: z._default(wholeSeconds, 1800),
  }),
)

export const mcpServers = named(
  entry(
    {
      enabled: flag(true),
      type: optional(z.enum(['stdio', 'http', 'sse'])),
      command: optional(label),
      args: list(reference),
      env: map(reference),
      url: optional(referenceUrl),
      headers: map(referenceHeader),
      timeout_seconds: seconds(60),
    },
    ({ value: { enabled, type, command, url }, issues }) => {
      if (enabled === false) return
      const lacks = (key: string, why: string) =>
        issues.push({ code: 'custom', input: undefined, path: [key], message: why, params: { problem: 'required' } })
      if (type === 'stdio' && command === null) lacks('command', 'is required by type stdio')
      if ((type === 'http' || type === 'sse') && url === null) lacks('url', `is required by type ${type}`)
      if (type === null && command === null && url === null) lacks('command', 'is required, or url')
      if (type === null && command !== null && url !== null)
        lacks('type', 'is required where both command and url stand')
    },
  ),
)

export const agentStorage = section(
  { backend: z._default(z.enum(['file', 'db']), 'file'), url: optional(referenceText) },
  ({ value, issues }) => {
    if (value.backend === 'db' && value.url === null)
      issues.push({
        code: 'custom',
        input: undefined,
        path: ['url'],
        message: 'is required by backend db',
        params: { problem: 'required' },
      })
  },
)

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i

export const http = section(
  {
    host: z._default(text, '127.0.0.1'),
    port: count(4870, 0, 65_535),
    tokens: list(entry({ name: label, role: z._default(z.enum(['user', 'admin']), 'user'), token: referenceSecret })),
  },
  ({ value: { host, tokens }, issues }) => {
    if (typeof host !== 'string' || LOOPBACK.test(host) || !Array.isArray(tokens) || tokens.length > 0) return
    issues.push({
      code: 'custom',
      input: host,
      path: ['tokens'],
      message: `are required where host is not a loopback address`,
      params: { problem: 'required' },
    })
  },
)

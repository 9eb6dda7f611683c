import type { Usage } from '../../contract/messages.ts'
import type { StopReason } from '../../contract/status.ts'

export const seconds = (ms: number): string => {
  const s = Math.max(0, ms) / 1000
  if (s < 9.95) return `${s.toFixed(1)}s`
  const whole = Math.round(s)
  if (whole < 60) return `${whole}s`
  const two = (n: number) => String(n).padStart(2, '0')
  if (whole < 3600) return `${Math.floor(whole / 60)}m${two(whole % 60)}s`
  return `${Math.floor(whole / 3600)}h${two(Math.floor((whole % 3600) / 60))}m`
}

export const short = (n: number): string => {
  if (n < 1000) return String(n)
  if (n < 999_950) return `${(n / 1000).toFixed(n < 99_950 ? 1 : 0)}k`
  return `${(n / 1_000_000).toFixed(1)}M`
}

/** Total tokens, with `~` where they are an estimate. */
export const tokens = (usage: Usage): string => `${usage.estimated ? '~' : ''}${short(usage.total_tokens)}`

export const count = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`

const CAPS: Readonly<Record<StopReason, string>> = {
  turn_capped: 'turn cap',
  token_capped: 'token cap',
  loop_capped: 'loop cap',
}

export const capName = (reason: StopReason): string => CAPS[reason]

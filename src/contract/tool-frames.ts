import type { Caller, JsonSchema, Mount, ToolModule } from './tools.ts'

/** What a built-in tool may see of the machine. */
export interface ToolView {
  /** Folder of the machine behind `/mnt/user-data`. */
  readonly userData: string
  readonly mounts: readonly Mount[]
}

export type ToolTarget =
  | ({ readonly kind: 'module' } & ToolModule)
  | { readonly kind: 'builtin'; readonly name: string }

/** What a module is looked at for: a tool, or only whether it has a chat model. */
export type Describes = 'tool' | 'model'

/** Host to tool process. A `call` carries its arguments as the frame's body, JSON text that the host has not read. */
export type ToolRequest =
  | { readonly type: 'describe'; readonly id: number; readonly of: Describes; readonly module: ToolModule }
  | {
      readonly type: 'call'
      readonly id: number
      readonly tool: string
      readonly target: ToolTarget
      readonly caller: Caller
      readonly view: ToolView
    }
  | { readonly type: 'abort'; readonly id: number; readonly why: 'cancelled' | 'timed_out' }

/** What a module said of its tool, or why it could not. Of a chat model nothing is said but its name. */
export type ToolDescription =
  | { readonly ok: true; readonly name: string; readonly description: string; readonly parameters: JsonSchema }
  | { readonly ok: false; readonly error: string }

/** Tool process to host. `done` carries the content as the frame's body. */
export type ToolReply =
  | { readonly type: 'ready' }
  | { readonly type: 'described'; readonly id: number; readonly result: ToolDescription; readonly after: After }
  | {
      readonly type: 'done'
      readonly id: number
      readonly status: 'success' | 'error'
      readonly files?: readonly string[]
      readonly metadata?: Readonly<Record<string, unknown>>
      readonly after: After
    }
  | { readonly type: 'free'; readonly id: number; readonly rss: number }
  | { readonly type: 'stray'; readonly tool: string | null; readonly detail: string }

/** The process after a call: `busy` while an aborted call still tidies up (`free` follows), `broken` when it must not be used again. */
export interface After {
  readonly state: 'free' | 'busy' | 'broken'
  /** Resident bytes. */
  readonly rss: number
}

/** One message: four bytes of length, a JSON header, a line feed, a body of plain text that nobody parses on the way. */
export const encodeFrame = (header: ToolRequest | ToolReply, body = ''): Buffer => {
  const text = `${JSON.stringify(header)}\n${body}`
  const length = Buffer.byteLength(text)
  const frame = Buffer.allocUnsafe(4 + length)
  frame.writeUInt32BE(length)
  frame.write(text, 4)
  return frame
}

export interface Frame<Header> {
  readonly header: Header
  readonly body: string
}

const decode = <Header>(bytes: Buffer): Frame<Header> => {
  const end = bytes.indexOf(10)
  if (end < 0) throw new Error('a frame without a header')
  return { header: JSON.parse(bytes.toString('utf8', 0, end)), body: bytes.toString('utf8', end + 1) }
}

/** Bytes of the frame that begins here, as far as its length is known. */
const frameBytes = (bytes: Buffer, limit: number): number => {
  if (bytes.length < 4) return 4
  const length = 4 + bytes.readUInt32BE()
  if (length > limit) throw new Error(`a frame of ${length} bytes`)
  return length
}

/** Takes chunks and gives the frames that are whole. Throws on what cannot be a frame: the other side is then lost. */
export const frameReader = <Header>(limit: number): ((chunk: Buffer) => readonly Frame<Header>[]) => {
  let held: Buffer[] = []
  let size = 0
  let wanted = 4
  return (chunk) => {
    held.push(chunk)
    size += chunk.length
    // Joining only when a frame is whole keeps a frame of many chunks linear.
    if (size < wanted) return []
    const frames: Frame<Header>[] = []
    let rest = held.length === 1 ? chunk : Buffer.concat(held, size)
    for (wanted = frameBytes(rest, limit); rest.length >= wanted; wanted = frameBytes(rest, limit)) {
      frames.push(decode(rest.subarray(4, wanted)))
      rest = rest.subarray(wanted)
    }
    held = rest.length === 0 ? [] : [rest]
    size = rest.length
    return frames
  }
}

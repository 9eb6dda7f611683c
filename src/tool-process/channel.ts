import { Socket } from 'node:net'
import type { ToolReply, ToolRequest } from '../contract/tool-frames.ts'
import { encodeFrame, frameReader } from '../contract/tool-frames.ts'

const FD = 3
const REQUEST_MAX = 64 * 1024 * 1024

// Taken before a tool can replace it.
const kill = process.kill.bind(process)

/** Ends this process and whatever its tools started. */
const endGroup = (): void => {
  try {
    kill(-process.pid, 'SIGKILL')
  } catch {
    kill(process.pid, 'SIGKILL')
  }
}

/** The line to the host. When it breaks the host is gone, perhaps killed, and nobody else would end this process. */
export const openChannel = (
  onRequest: (request: ToolRequest, body: string) => void,
): ((reply: ToolReply, body?: string) => void) => {
  const socket = new Socket({ fd: FD, readable: true, writable: true })
  const read = frameReader<ToolRequest>(REQUEST_MAX)
  socket.on('data', (chunk: Buffer) => {
    try {
      for (const { header, body } of read(chunk)) onRequest(header, body)
    } catch {
      endGroup()
    }
  })
  for (const sign of ['end', 'close', 'error']) socket.on(sign, endGroup)
  return (reply, body) => void socket.write(encodeFrame(reply, body))
}

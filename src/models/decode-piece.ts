import { StringDecoder } from 'node:string_decoder'

/** Where the decoding of one answer stands. */
export interface Decoding {
  decoder: StringDecoder | null
}

/** Bytes from here on belong to a character of several, which a chunk may have cut. */
const MULTIBYTE = 0x80

/** Decodes the next bytes. Most chunks end with a newline, so what remembers half a character is made only when needed. */
export const decodePiece = (decoding: Decoding, bytes: Buffer): string => {
  if (decoding.decoder === null) {
    if ((bytes[bytes.length - 1] ?? 0) < MULTIBYTE) return bytes.toString('utf8')
    decoding.decoder = new StringDecoder('utf8')
  }
  return decoding.decoder.write(bytes)
}

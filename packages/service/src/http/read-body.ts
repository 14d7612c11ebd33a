import type { IncomingMessage } from 'node:http'
import { ApiError } from '../api/api-error.ts'

/**
 * Returns the bytes of a request body.
 *
 * @param maxBytes - The maximum size.
 * @throws {ApiError} 413 if it is larger, 400 if the request is aborted.
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const tooLarge = (): ApiError => new ApiError(413, `The body of a request may have at most ${maxBytes} bytes.`)
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
      reject(tooLarge())
      return
    }
    const pieces: Buffer[] = []
    let size = 0
    request.on('data', (piece: Buffer) => {
      // Discards the rest after the rejection.
      if (size > maxBytes) return
      size += piece.length
      if (size > maxBytes) {
        pieces.length = 0
        reject(tooLarge())
      } else pieces.push(piece)
    })
    request.on('end', () => resolve(pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces)))
    request.on('error', () => reject(new ApiError(400, 'The request was aborted.')))
    request.on('close', () => reject(new ApiError(400, 'The request was aborted.')))
  })
}

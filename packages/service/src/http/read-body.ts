import type { IncomingMessage } from 'node:http'
import { type BodyBuffer, createBodyBuffer } from '@trestle/protocol'
import { ApiError } from '../api/api-error.ts'
import type { BodyWatch } from '../api/http-call.ts'

const tooManyChunks = (): ApiError =>
  new ApiError(413, 'The body of the request has too many small chunks. Send it in larger ones.')

/**
 * Returns the bytes of a request body.
 *
 * @param maxBytes - The maximum size.
 * @param watch - Follows the reading, and can stop it.
 * @throws {ApiError} 413 if it is larger or has too many small chunks, 400 if the request is aborted.
 */
export function readBody(request: IncomingMessage, maxBytes: number, watch?: BodyWatch): Promise<Uint8Array> {
  const tooLarge = (): ApiError => new ApiError(413, `The body of a request may have at most ${maxBytes} bytes.`)
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
      reject(tooLarge())
      return
    }
    let buffer: BodyBuffer | undefined = createBodyBuffer(maxBytes)
    // The rest is received, but not kept.
    const refuse = (reason: unknown): void => {
      buffer = undefined
      reject(reason)
    }
    watch?.signal.addEventListener('abort', () => refuse(watch.signal.reason), { once: true })
    request.on('data', (piece: Buffer) => {
      if (!buffer) return
      const limit = buffer.add(piece)
      if (limit) refuse(limit === 'bytes' ? tooLarge() : tooManyChunks())
      else watch?.onBytes(piece.length)
    })
    request.on('end', () => resolve(buffer?.toBytes() ?? new Uint8Array(0)))
    request.on('error', () => reject(new ApiError(400, 'The request was aborted.')))
    request.on('close', () => reject(new ApiError(400, 'The request was aborted.')))
  })
}

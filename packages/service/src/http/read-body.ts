import type { IncomingMessage } from 'node:http'
import { ApiError } from '../api/api-error.ts'

/**
 * Returns the bytes of a request body.
 *
 * @param maxBytes - The maximum size.
 * @param signal - Stops reading; the promise rejects with its reason.
 * @throws {ApiError} 413 if it is larger, 400 if the request is aborted.
 */
export function readBody(request: IncomingMessage, maxBytes: number, signal?: AbortSignal): Promise<Uint8Array> {
  const tooLarge = (): ApiError => new ApiError(413, `The body of a request may have at most ${maxBytes} bytes.`)
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
      reject(tooLarge())
      return
    }
    const pieces: Buffer[] = []
    let size = 0
    let isRefused = false
    // The rest is received, but not kept.
    const refuse = (reason: unknown): void => {
      isRefused = true
      pieces.length = 0
      reject(reason)
    }
    signal?.addEventListener('abort', () => refuse(signal.reason), { once: true })
    request.on('data', (piece: Buffer) => {
      if (isRefused) return
      size += piece.length
      if (size > maxBytes) refuse(tooLarge())
      else pieces.push(piece)
    })
    request.on('end', () => resolve(pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces)))
    request.on('error', () => reject(new ApiError(400, 'The request was aborted.')))
    request.on('close', () => reject(new ApiError(400, 'The request was aborted.')))
  })
}

import { CodedError } from './error.ts'
import type { BodyLimit } from './http/body-buffer.ts'

/**
 * Returns the error of a bridge for a body that exceeds a limit of its buffer.
 *
 * @param maxBytes - The maximum size.
 * @example
 * throw toBodyError('bytes', 1024)
 */
export function toBodyError(limit: BodyLimit, maxBytes: number): CodedError {
  const message =
    limit === 'bytes'
      ? `The body is larger than ${maxBytes} bytes, the limit of this bridge.`
      : 'The body has too many small chunks. Send it in larger ones.'
  return new CodedError('PayloadTooLarge', message, { data: { limit: maxBytes } })
}

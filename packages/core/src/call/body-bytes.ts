import { CodedError } from '@trestle/protocol'

/**
 * Returns the error for a body that the server rejected because of its size. The server's stream reports this as an
 * error with status 413 that contains the limit.
 *
 * @returns The error, with the limit in bytes and `source: 'server'` in its data, or `undefined` for any other reason.
 */
export function refusedForSize(thrown: unknown): CodedError | undefined {
  const bytes = readLimit(thrown)
  if (!Number.isSafeInteger(bytes)) return undefined
  const text = `The body is larger than ${bytes} bytes, the limit of the server in front of the bridge.`
  return new CodedError('PayloadTooLarge', text, { data: { limit: bytes, source: 'server' } })
}

/** Reports that a hook or middleware has read the body before the bridge. */
export class BodyReadBefore extends TypeError {
  override readonly message =
    'The body was read before it reached the bridge; hooks and middleware must read a copy, such as request.clone().'
}

function readLimit(thrown: unknown): number {
  try {
    const { status, limit, message } = thrown as { status?: unknown; limit?: unknown; message?: unknown }
    if (status !== 413) return Number.NaN
    return typeof limit === 'number' ? limit : Number(/limit of (\d{1,15})\b/i.exec(String(message))?.[1])
  } catch {
    // A custom stream may fail with any value.
    return Number.NaN
  }
}

import { isObject } from '@trestle/protocol'
import { cleanText } from './clean-text.ts'

const maxDepth = 5

/**
 * Returns why a request failed: the message and code of the innermost cause, which is the error that Node reports, for
 * example `certificate has expired (CERT_HAS_EXPIRED)`. The errors around it only say that `fetch` failed.
 *
 * @param error - The error of the request.
 */
export function connectionReason(error: unknown): string {
  let current = error
  for (let depth = 0; depth < maxDepth; depth++) {
    // A name with several addresses has one error for each.
    const cause = isObject(current)
      ? Array.isArray(current['errors'])
        ? current['errors'][0]
        : current['cause']
      : null
    if (!isObject(cause)) break
    current = cause
  }
  const { message, code } = isObject(current) ? current : {}
  return cleanText(`${String(message ?? current)}${typeof code === 'string' ? ` (${code})` : ''}`)
}

import { parseUrl } from '@trestle/protocol'
import { toPlainText } from '../base/plain-text.ts'

const maxShownLength = 2000

/**
 * Returns a URL for messages and logs: without user info, query and fragment, which may contain secrets.
 *
 * @param url - A URL, or invalid text.
 */
export function toDisplayUrl(url: string): string {
  const parsed = typeof url === 'string' ? parseUrl(url) : undefined
  if (parsed === undefined) return '(not a URL)'
  const { protocol, host, pathname } = parsed
  // A URL without a host (`mailto:`, `data:`) has its whole content in the path.
  return host === '' ? `${protocol}…` : toPlainText(`${protocol}//${host}${pathname}`, maxShownLength)
}

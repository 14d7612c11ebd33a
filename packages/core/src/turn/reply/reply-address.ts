import { parseUrl } from '@trestle/protocol'
/** The result of checking a reply address: the URL if it is allowed, otherwise the reason. */
export type ReplyAddress = { readonly url: string } | { readonly fault: string }

// Servers and proxies interpret these differently, so a path could escape its prefix.
const ambiguous = /%2f|%5c|%2e/i

/**
 * Checks that replies may be sent to an address: it must be below the path of the configured API.
 *
 * @param replyUrl - The address from the event.
 * @param apiUrl - The base address of the API.
 * @source protocol.md#replies
 */
export function checkReplyAddress(replyUrl: string, apiUrl: string): ReplyAddress {
  const api = parseWebUrl(apiUrl)
  if (!api) return { fault: 'cannot be checked: apiUrl of this bridge is not a valid URL' }
  const url = parseWebUrl(replyUrl)
  if (!url) return { fault: 'must be an http or https address without user info' }
  const prefix = `${api.pathname.replace(/\/+$/, '')}/`
  if (url.origin !== api.origin || !url.pathname.startsWith(prefix) || ambiguous.test(url.pathname))
    return { fault: `must belong to the REST API of this bridge, ${api.origin}${prefix}` }
  return { url: url.origin + url.pathname + url.search }
}

/**
 * Returns whether an address is on this machine.
 *
 * @param url - A valid URL.
 */
export function isLoopback(url: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)
}

function parseWebUrl(text: string): URL | undefined {
  const url = parseUrl(text)
  return url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' ? url : undefined
}

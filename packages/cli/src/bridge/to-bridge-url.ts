import { parseUrl } from '@trestle/protocol'
import { isLoopbackHost } from '../base/is-loopback.ts'
import { UsageError } from '../terminal/usage-error.ts'

/** The address of a bridge as it will be called. */
export interface BridgeUrl {
  readonly url: string
  /** The `localhost` host before replacement; absent if nothing was replaced. */
  readonly rewrittenFrom?: string
  /** The alternative address: `localhost` has two, and many servers listen on only one. */
  readonly otherUrl?: string
  /** Whether it is on this machine. */
  readonly isLoopback: boolean
}

/** The default path of a bridge. */
export const usualPath = '/api/bridge'

const maxPort = 65_535

/**
 * Parses the address of a bridge. The service never calls the name `localhost`, so it is replaced by an IP address.
 *
 * @param text - The input; a port alone means this machine, and an address without a path uses the default path.
 * @throws {UsageError} It is not an http or https address.
 */
export function toBridgeUrl(text: string): BridgeUrl {
  const isPort = /^\d+$/.test(text)
  // A larger number would be read as an IPv4 address.
  if (isPort && Number(text) > maxPort) throw new UsageError(`${text} is not a port: the highest is ${maxPort}.`)
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
  const full = isPort ? `http://127.0.0.1:${text}` : hasScheme ? text : `http://${text}`
  const url = parseUrl(full)
  if (url === undefined)
    throw new UsageError(`${JSON.stringify(text)} is not a URL. Example: http://127.0.0.1:3000${usualPath}.`)
  if (!['http:', 'https:'].includes(url.protocol))
    throw new UsageError(`${JSON.stringify(text)} is not an http or https address.`)
  const name = url.hostname.replace(/\.$/, '').toLowerCase()
  const isNamed = name === 'localhost'
  const rewrittenFrom = url.host
  if (isNamed) url.hostname = '127.0.0.1'
  if (url.pathname === '/' && !/^https?:\/\/[^/]+\/$/i.test(full)) url.pathname = usualPath
  url.hash = ''
  const other = new URL(url)
  other.hostname = '[::1]'
  return {
    url: url.href,
    ...(isNamed && { rewrittenFrom }),
    ...((isNamed || isPort) && { otherUrl: other.href }),
    isLoopback: isLoopbackHost(url.hostname),
  }
}

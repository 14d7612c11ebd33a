import { ApiError } from '../api/api-error.ts'
import type { HttpCall } from '../api/http-call.ts'
import { isLoopback } from '../config/is-loopback.ts'
import { isInboxPath } from './page-origin.ts'

/** The maximum length of path and query together. */
export const maxUrlLength = 8_192

export interface AdmitOptions {
  /** The address on which the service listens. */
  readonly host: string
  /** The port on which it listens. */
  readonly port: number
  /** Host names that calls can use, in addition to loopback names. */
  readonly allowedHosts: readonly string[]
  /** Returns whether a path is a page without private data, to which other sites can link. */
  readonly isPage: (path: string) => boolean
}

/**
 * Rejects requests before they reach an operation: URLs that are too long and, while the service listens on loopback,
 * requests for another host or from another origin's web page. This prevents web pages from reaching a service on their
 * reader's machine, whether by address or by DNS rebinding. The inbox checks origins separately.
 *
 * @throws {ApiError} 400, 403 or 414.
 */
export function admit(call: HttpCall, options: AdmitOptions): void {
  if (call.url.length > maxUrlLength)
    throw new ApiError(414, `The URL of a request may have at most ${maxUrlLength} characters.`)
  if (!call.url.startsWith('/')) throw new ApiError(400, 'The request path must start with "/".')
  if (!isLoopback(options.host)) return
  const host = call.header('host')
  if (host === undefined || !isAllowed(host, options))
    throw new ApiError(
      403,
      'The service only accepts its loopback address as the host. Add other names to allowedHosts.',
    )
  const origin = call.header('origin')
  if (origin !== undefined && isInboxPath(pathOf(call.url))) return
  if (origin !== undefined && !isAllowed(toHost(origin), options))
    throw new ApiError(403, 'Web pages from other origins may not call the service.')
  const site = call.header('sec-fetch-site')
  const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none'
  if (origin === undefined && isForeign && !isVisit(call, options))
    throw new ApiError(403, 'Web pages from other origins may not call the service.')
}

/**
 * Returns whether a request is a top-level navigation, so that no frame or script of another site can read the page.
 */
function isVisit({ method, url, header }: HttpCall, { isPage }: AdmitOptions): boolean {
  if (method !== 'GET' || header('sec-fetch-mode') !== 'navigate' || header('sec-fetch-dest') !== 'document')
    return false
  return isPage(pathOf(url))
}

/** Headers set by proxies and tunnels, which may send this machine's name as the host. */
const forwardingHeaders = [
  ...['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-port'],
  ...['x-forwarded-server', 'x-original-host', 'x-real-ip', 'x-client-ip', 'cf-connecting-ip', 'true-client-ip'],
] as const

/**
 * Rejects calls that came through a proxy, or whose host is not a loopback name with the service's own port.
 * `allowedHosts` does not apply. This is only a filter: passing it proves nothing, because forwarders can be invisible.
 *
 * @throws {ApiError} 403
 */
export function admitHere({ header }: HttpCall, { host, port }: AdmitOptions): void {
  const origin = header('origin')
  const names = [header('host') ?? '', ...(origin === undefined ? [] : [toHost(origin)])]
  const isDirect = forwardingHeaders.every((name) => header(name) === undefined)
  if (isLoopback(host) && isDirect && names.every((name) => isHere(name, port))) return
  throw new ApiError(403, 'The studio and mounts only answer on this machine. Call them at a loopback address.')
}

const pathOf = (url: string): string => url.split('?', 1)[0] ?? ''

const toHost = (origin: string): string => origin.replace(/^https?:\/\//i, '')

function isAllowed(host: string, { port, allowedHosts }: AdmitOptions): boolean {
  const text = host.toLowerCase()
  return allowedHosts.some((allowed) => allowed.toLowerCase() === text) || isHere(text, port)
}

function isHere(host: string, port: number): boolean {
  const text = host.toLowerCase()
  const parts = /^(\[[\da-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(text)
  if (!parts?.[1]) return false
  return isLoopback(parts[1].replace(/^\[|\]$/g, '')) && Number(parts[2] ?? 80) === port
}

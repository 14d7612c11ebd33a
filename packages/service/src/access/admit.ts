import { ApiError } from '../api/api-error.ts'
import type { HttpCall } from '../api/http-call.ts'
import { isLoopback } from '../config/is-loopback.ts'
import { isInboxPath } from './page-origin.ts'

/** The maximum length of path and query. */
export const maxUrlLength = 8_192

export interface AdmitOptions {
  /** The address the service listens at. */
  readonly host: string
  /** The port it listens at. */
  readonly port: number
  /** Host names for calls, in addition to loopback names. */
  readonly allowedHosts: readonly string[]
  /** Returns whether a path is a page without private data, which other sites may link to. */
  readonly isPage: (path: string) => boolean
}

/**
 * Rejects requests before they reach an operation: URLs that are too long and, while the service listens on loopback,
 * requests for another host or from a web page of another origin. So no web page reaches a service on its reader's
 * machine, by address or by DNS rebinding. The inbox checks origins itself.
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
    throw new ApiError(403, 'The service only accepts its loopback address as host. Add other names to allowedHosts.')
  const origin = call.header('origin')
  if (origin !== undefined && isInboxPath(pathOf(call.url))) return
  if (origin !== undefined && !isAllowed(toHost(origin), options))
    throw new ApiError(403, 'Web pages of other origins may not call the service.')
  const site = call.header('sec-fetch-site')
  const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none'
  if (origin === undefined && isForeign && !isVisit(call, options))
    throw new ApiError(403, 'Web pages of other origins may not call the service.')
}

/** Top-level navigation: no frame or script of the other site can read the page. */
function isVisit({ method, url, header }: HttpCall, { isPage }: AdmitOptions): boolean {
  if (method !== 'GET' || header('sec-fetch-mode') !== 'navigate' || header('sec-fetch-dest') !== 'document')
    return false
  return isPage(pathOf(url))
}

/** Headers of proxies and tunnels, which may name this machine as the host. */
const forwardingHeaders = [
  ...['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-port'],
  ...['x-forwarded-server', 'x-original-host', 'x-real-ip', 'x-client-ip', 'cf-connecting-ip', 'true-client-ip'],
] as const

/**
 * Rejects calls that came through a proxy, or under a host name that is not loopback with the service's own port.
 * `allowedHosts` does not apply. This is only a filter: a call that passes has proved nothing, because forwarders may
 * leave no trace.
 *
 * @throws {ApiError} 403
 */
export function admitHere({ header }: HttpCall, { host, port }: AdmitOptions): void {
  const origin = header('origin')
  const names = [header('host') ?? '', ...(origin === undefined ? [] : [toHost(origin)])]
  const isDirect = forwardingHeaders.every((name) => header(name) === undefined)
  if (isLoopback(host) && isDirect && names.every((name) => isHere(name, port))) return
  throw new ApiError(403, 'The studio and mounts only answer on this machine. Call them by a loopback address.')
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

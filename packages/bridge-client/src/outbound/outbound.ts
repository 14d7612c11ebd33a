import type { IncomingHttpHeaders } from 'node:http'
import { classifyFault } from '../classify/classify-fault.ts'
import { completeCause, type FailureCause } from '../failure/error.ts'
import type { FailureCode } from '../failure/failure.ts'
import { deadline, type Fault, isFault, type Phase } from '../failure/fault.ts'
import { checkOptions } from '../options/check-options.ts'
import { type NetworkOptions, resolveNetwork } from '../options/resolve-network.ts'
import type { Refusal } from '../policy/policy.ts'
import { resolveTarget, type Target } from '../policy/target.ts'
import type { WireAnswer, WireRequest } from '../transport/exchange.ts'
import { exchangeHttp2 } from '../transport/http2-exchange.ts'
import { createHttp2Sessions, type Http2Sessions } from '../transport/http2-sessions.ts'
import { type RequestOptions, sendRequest } from '../transport/request.ts'
import { withDeadline } from '../transport/with-deadline.ts'
import { findMistake } from './find-mistake.ts'
import { OutboundError } from './outbound-error.ts'

/** Configures {@link createOutbound}: the network options, with the defaults of `createBridgeClient`. */
export type OutboundOptions = NetworkOptions

/** A request to a configured address, for example a webhook. */
export interface OutboundRequest {
  /** The method, in uppercase. */
  readonly method: string
  /** The target; an absolute `http` or `https` URL. */
  readonly url: string
  /** Headers; framing headers (`host`, `content-length`, `connection`, …) are rejected. @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The body. @default none */
  readonly body?: string | undefined
  /** Sends it over HTTP/2, on a connection that is reused for further requests to the same origin. @default false */
  readonly http2?: boolean | undefined
}

/** A response with any status. Redirects are returned and not followed. */
export interface OutboundReply {
  /** The HTTP status. */
  readonly status: number
  /** The headers, names in lowercase. */
  readonly headers: IncomingHttpHeaders
  /** The body as text; empty for a redirect. */
  readonly text: string
}

/** Sends requests to configured addresses, under the outbound address policy. */
export interface Outbound {
  /**
   * Sends one request to one of the checked addresses. It is not retried.
   *
   * @param request - The request to send.
   * @param signal - Aborts the request, which then rejects with the signal's reason.
   * @throws OutboundError - The address is blocked, or no response arrived in time.
   */
  send(request: OutboundRequest, signal?: AbortSignal): Promise<OutboundReply>
  /**
   * Returns the checked addresses of a host, for protocols other than HTTP. Connect to these, never to the name.
   *
   * @param host - A name or an address.
   * @param signal - Aborts the lookup, which then rejects with the signal's reason.
   * @param port - The port you connect to, for the option `isClosed`. @default 80
   * @throws OutboundError - The host or one of its addresses is blocked, or the name does not exist.
   */
  resolveHost(host: string, signal?: AbortSignal, port?: number): Promise<readonly string[]>
}

/**
 * Creates a sender of webhooks and other requests to configured addresses. It shares the bridge client's policy,
 * connections and limits; certificates are always checked.
 *
 * @param options - The network options.
 * @throws TypeError - An option is unknown or of the wrong type, or a range of the allow list is invalid.
 * @source service-api.md#outbound-address-policy
 *
 * @example
 * const outbound = createOutbound({ timeoutMs: 10_000 })
 * const { status } = await outbound.send({ method: 'POST', url, headers: { 'content-type': 'application/json' }, body })
 */
export function createOutbound(options: OutboundOptions = {}): Outbound {
  checkOptions(options, { owner: 'createOutbound', required: [] })
  const network = resolveNetwork(options)
  const { policy, maxAnswerBytes } = network
  const sessions = createHttp2Sessions()

  async function toTarget(url: string, signal: AbortSignal): Promise<Target> {
    const admitted = policy.checkUrl(url)
    if ('refused' in admitted) throw refuse(admitted)
    const target = await resolveTarget(admitted, { ...network, resolvedNames: new Set(), signal })
    if ('refused' in target) throw refuse(target)
    if (isFault(target)) throw fail(classifyFault(target), target.fault)
    return target
  }

  async function send(request: OutboundRequest, signal: AbortSignal): Promise<OutboundReply> {
    const mistake = findMistake(request)
    if (mistake !== undefined) throw fail({ code: 'RequestCacheError', cause: { reason: mistake } }, 'prepare')
    const { method, headers = {}, body, http2 = false } = request
    const target = await toTarget(request.url, signal)
    const isRepeatable = repeatableMethods.includes(method)
    const bounds = { ...network, checkCertificates: true, maxFailureBytes: maxAnswerBytes, isRepeatable, signal }
    const wire = { method, url: target.url, headers, body }
    const answer = await (http2
      ? sendHttp2(sessions, target, { wire, bounds })
      : sendRequest(target, async () => wire, bounds))
    if (isFault(answer)) throw fail(classifyFault(answer), answer.fault)
    const { status, address } = answer
    if (!isFault(answer.body)) return { status, headers: answer.headers, text: new TextDecoder().decode(answer.body) }
    const { error } = answer.body
    const cause = { reason: `the body of the ${status} response could not be read`, httpStatus: status, address, error }
    throw fail(error === deadline ? { code: 'BridgeRequestTimeout', cause } : { code: 'ResponseReadError', cause })
  }

  async function run<T>(work: (inner: AbortSignal) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    if (signal !== undefined && !(signal instanceof AbortSignal)) {
      throw fail({ code: 'RequestCacheError', cause: { reason: 'signal is not an AbortSignal' } }, 'prepare')
    }
    signal?.throwIfAborted()
    try {
      return await withDeadline(work, { ...network, signal })
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      if (error instanceof OutboundError) throw error
      const cause = { reason: 'the request failed unexpectedly', error }
      throw fail({ code: 'UnknownBridgeNonRequestError', cause })
    }
  }

  return Object.freeze<Outbound>({
    send: (request, signal) => run((inner) => send(request, inner), signal),
    resolveHost: (host, signal, port) =>
      run(async (inner) => (await toTarget(toUrl(host, port), inner)).addresses, signal),
  })
}

/** The idempotent methods. */
const repeatableMethods: readonly string[] = ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']

async function sendHttp2(
  sessions: Http2Sessions,
  target: Target,
  { wire, bounds }: { readonly wire: WireRequest; readonly bounds: RequestOptions },
): Promise<WireAnswer | Fault> {
  const opened = await sessions.open(target, bounds)
  return isFault(opened) ? opened : exchangeHttp2(opened, wire, bounds)
}

/** Returns the URL of a host; a URL that is always rejected if the text is not exactly a host. */
function toUrl(host: string, port = 80): string {
  const isHost = typeof host === 'string' && /^[^/\\?#@\s]+$/.test(host)
  return isHost ? `http://${host.includes(':') ? `[${host}]` : host}:${port}/` : ''
}

function refuse({ refused, ...rest }: Refusal): OutboundError {
  // A name may be missing only for a moment, such as that of a container that restarts.
  if (refused === 'DNS_LOOKUP_FAILED') return fail({ code: refused, cause: rest }, 'lookup')
  const cause = completeCause(refused, rest)
  return new OutboundError(refused, 'The outbound address policy blocks this address.', {
    isRefused: true,
    cause,
  })
}

function fail(
  { code, cause }: { readonly code: FailureCode; readonly cause: FailureCause },
  phase?: Phase,
): OutboundError {
  const complete = completeCause(code, cause)
  return new OutboundError(code, `The request failed (${code}): ${complete.reason}.`, {
    isRefused: false,
    ...(phase && { phase }),
    cause: complete,
  })
}

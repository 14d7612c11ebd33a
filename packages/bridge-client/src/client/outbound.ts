import type { IncomingHttpHeaders } from 'node:http'
import { classifyFault } from '../classify/classify-fault.ts'
import { completeCause, type FailureCause } from '../failure/error.ts'
import type { FailureCode } from '../failure/failure.ts'
import { deadline, isFault } from '../failure/fault.ts'
import type { Refusal } from '../policy/policy.ts'
import { resolveTarget, type Target } from '../policy/target.ts'
import { openConnection } from '../transport/connection.ts'
import { exchange } from '../transport/exchange.ts'
import { checkOptions } from './check-options.ts'
import { type NetworkOptions, resolveNetwork } from './resolve-network.ts'
import { withDeadline } from './with-deadline.ts'

/** A request to an address that somebody else has chosen. */
export interface OutboundRequest {
  /** Where it goes; an absolute `http` or `https` URL. */
  readonly url: string
  /** The method, in uppercase. */
  readonly method: string
  /** Headers; those that frame the message (`host`, `content-length`, `connection`, …) are refused. */
  readonly headers?: Readonly<Record<string, string>>
  /** The body. */
  readonly body?: string
}

/** An answer, whatever its status. A redirect is not followed; its body is empty. */
export interface OutboundAnswer {
  /** The HTTP status. */
  readonly status: number
  /** The headers, names in lower case. */
  readonly headers: IncomingHttpHeaders
  /** The body. */
  readonly body: Uint8Array
  /** The address that answered. */
  readonly address: string
}

/** A request that was refused or failed. */
export interface OutboundFailure {
  /** The code, as of a call of a bridge. */
  readonly code: FailureCode
  /** Holds what led to it, for the log. */
  readonly cause: FailureCause
}

/** Sends requests to addresses that somebody else has chosen, under the outbound policy. */
export interface Outbound {
  /** Checks a URL and every address of its name; returns the failure, `undefined` when a request may be sent. */
  check(url: string, options?: { readonly signal?: AbortSignal }): Promise<OutboundFailure | undefined>
  /** Sends one request to an address that was checked. It is neither repeated nor redirected. */
  send(request: OutboundRequest, options?: { readonly signal?: AbortSignal }): Promise<OutboundAnswer | OutboundFailure>
}

const optionNames: readonly (keyof NetworkOptions)[] = [
  ...(['allow', 'policy', 'ca', 'lookup', 'connect', 'timeoutMs', 'maxAnswerBytes', 'startTimer'] as const),
]

const framing = /^(?:connection|content-length|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/**
 * Creates a sender for webhooks and other requests to URLs that customers store: the policy, the limits and the
 * connections are those of the bridge client.
 *
 * @param options - The options of the network, as of `createBridgeClient`.
 * @returns The sender. Its methods resolve with a failure instead of rejecting; only an aborted signal rejects.
 * @throws TypeError - An option is unknown or of the wrong kind, or a range of the allow list cannot be read.
 *
 * @example
 * const outbound = createOutbound({ timeoutMs: 10_000 })
 * const result = await outbound.send({ method: 'POST', url, headers: { 'content-type': 'application/json' }, body })
 * if ('code' in result) console.warn('The webhook failed.', result)
 */
export function createOutbound(options: NetworkOptions = {}): Outbound {
  checkOptions(options, { owner: 'createOutbound', names: optionNames, required: [] })
  const network = resolveNetwork(options)
  const { policy, maxAnswerBytes } = network

  async function resolve(url: string, signal: AbortSignal): Promise<Target | OutboundFailure> {
    const admitted = policy.checkUrl(url)
    if ('refused' in admitted) return toFailure(admitted)
    const target = await resolveTarget(admitted, { ...network, found: new Set(), signal })
    if ('refused' in target) return toFailure(target)
    return isFault(target) ? fail(classifyFault(target)) : target
  }

  async function send(request: OutboundRequest, signal: AbortSignal): Promise<OutboundAnswer | OutboundFailure> {
    const mistake = findMistake(request)
    if (mistake !== undefined) return fail({ code: 'RequestCacheError', cause: { reason: mistake } })
    const { method, headers = {}, body } = request
    const target = await resolve(request.url, signal)
    if ('code' in target) return target
    const bounds = { ...network, checkCertificates: true, maxFailureBytes: maxAnswerBytes, signal }
    const connection = await openConnection(target, bounds)
    if (isFault(connection)) return fail(classifyFault(connection))
    const answer = await exchange(connection, { method, url: target.url, headers, body }, bounds)
    if (isFault(answer)) return fail(classifyFault(answer))
    const { status, address } = answer
    if (!isFault(answer.body)) return { status, headers: answer.headers, body: answer.body, address }
    const { error } = answer.body
    const cause = { reason: `the answer ${status} could not be read`, httpStatus: status, address, error }
    return fail(error === deadline ? { code: 'BridgeRequestTimeout', cause } : { code: 'ResponseReadError', cause })
  }

  return Object.freeze<Outbound>({
    async check(url, { signal } = {}) {
      const found = await withDeadline((inner) => resolve(url, inner), { ...network, signal })
      signal?.throwIfAborted()
      return 'code' in found ? found : undefined
    },
    async send(request, { signal } = {}) {
      const result = await withDeadline((inner) => send(request, inner), { ...network, signal })
      signal?.throwIfAborted()
      return result
    },
  })
}

function findMistake({ method, headers = {}, body }: OutboundRequest): string | undefined {
  if (typeof method !== 'string' || !token.test(method) || method === 'CONNECT') return 'the method is not allowed'
  if (body !== undefined && typeof body !== 'string') return 'the body is not a text'
  for (const [name, value] of Object.entries(headers)) {
    if (!token.test(name) || framing.test(name)) return `the header ${name} is not allowed`
    if (typeof value !== 'string' || /[^\t\x20-\x7e\x80-\xff]/.test(value)) return `the value of ${name} is not allowed`
  }
  return undefined
}

function toFailure({ refused, ...cause }: Refusal): OutboundFailure {
  return fail({ code: refused, cause })
}

function fail({ code, cause }: OutboundFailure): OutboundFailure {
  return { code, cause: completeCause(code, cause) }
}

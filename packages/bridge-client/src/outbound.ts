import { classifyFault } from './classify-fault.ts'
import { type ConnectionOptions, openConnection } from './connection.ts'
import { exchange, type WireRequest } from './exchange.ts'
import { deadline, type Fault, isFault } from './fault.ts'
import { type BridgeClientOptions, resolveOptions } from './options.ts'
import { OutboundError } from './outbound-error.ts'
import type { AdmittedUrl, Refusal } from './policy.ts'
import { resolveTarget, type Target } from './target.ts'

/** What {@link createOutbound} is set up with; the defaults are those of a bridge's client. */
export type OutboundOptions = Pick<
  BridgeClientOptions,
  'allow' | 'timeoutMs' | 'maxAnswerBytes' | 'ca' | 'lookup' | 'connect' | 'startTimer'
>

/** A request to an address that a user configured, for example a webhook. */
export interface OutboundRequest {
  /** The HTTP method. */
  readonly method: string
  /** An absolute http or https URL. */
  readonly url: string
  /** All headers but `host` and `content-length`. */
  readonly headers: Readonly<Record<string, string>>
  /** The body; absent for none. */
  readonly body?: string
}

/** An answer to an {@link OutboundRequest}, of any status. */
export interface OutboundReply {
  /** The HTTP status. A redirect is an answer like any other: it is not followed. */
  readonly status: number
  /** The body as text; empty for a redirect. */
  readonly text: string
}

/** Sends requests to addresses that users configured, behind the outbound address policy. */
export interface Outbound {
  /**
   * Sends one request to one of the checked addresses.
   *
   * @param request - Where it goes and what it carries.
   * @param signal - Ends the request; it then rejects with the signal's reason.
   * @throws OutboundError - The address is refused, or the request was not answered within its time.
   */
  send(request: OutboundRequest, signal?: AbortSignal): Promise<OutboundReply>
  /**
   * Returns the checked addresses of a host, for protocols other than HTTP. Connect to these, never to the name.
   *
   * @param host - A name or an address.
   * @throws OutboundError - The host or one of its addresses is refused, or the name is not known.
   */
  resolveHost(host: string): Promise<readonly string[]>
}

/**
 * Creates a sender of requests to addresses that users configured. Names and addresses pass the same policy as a
 * bridge's; certificates are always checked.
 *
 * @param options - Allow list, limits, resolver and connector.
 * @throws TypeError - A range of the allow list cannot be read.
 * @source Specification, "Outbound address policy codes".
 *
 * @example
 * const outbound = createOutbound({ timeoutMs: 3000 })
 * const { status } = await outbound.send({ method: 'POST', url, headers: {}, body: '{}' })
 */
export function createOutbound(options: OutboundOptions = {}): Outbound {
  const resolved = resolveOptions({ ...options, secretKey: 'unused', environmentName: 'Production' })
  const { policy, lookup } = resolved

  async function toTarget(url: string, signal: AbortSignal): Promise<Target> {
    const admitted: AdmittedUrl | Refusal = policy.checkUrl(url)
    if ('refused' in admitted) throw refuse(admitted)
    const target = await resolveTarget(admitted, { policy, lookup, found: new Set(), signal })
    if ('refused' in target) throw refuse(target)
    if (isFault(target)) throw toError(target)
    return target
  }

  async function within<T>(work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted()
    const controller = new AbortController()
    const onAbort = (): void => controller.abort(signal?.reason)
    signal?.addEventListener('abort', onAbort, { once: true })
    const stopTimer = resolved.startTimer(resolved.timeoutMs, () => controller.abort(deadline))
    try {
      return await work(controller.signal)
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason
      if (error instanceof OutboundError) throw error
      // A header or method that cannot be written is found when the request is put together.
      throw toError({ fault: 'prepare', error })
    } finally {
      stopTimer()
      signal?.removeEventListener('abort', onAbort)
    }
  }

  return Object.freeze<Outbound>({
    send: (request, signal) =>
      within(async (inner) => {
        const target = await toTarget(request.url, inner)
        const { method, headers, body } = request
        const wire = { method, headers, body, url: target.url }
        return sendTo(target, wire, { ...resolved, signal: inner })
      }, signal),
    resolveHost: (host) =>
      within(async (signal) => {
        if (/[/\\?#@\s]/.test(host))
          throw refuse({ refused: 'INVALID_URL', reason: 'the host is not a name or an address' })
        const name = host.includes(':') ? `[${host}]` : host
        return (await toTarget(`http://${name}/`, signal)).addresses
      }),
  })
}

async function sendTo(
  target: Target,
  wire: WireRequest,
  options: ConnectionOptions & { readonly maxAnswerBytes: number },
): Promise<OutboundReply> {
  const connection = await openConnection(target, options)
  if (isFault(connection)) throw toError(connection)
  const answer = await exchange(connection, wire, options)
  if (isFault(answer)) throw toError(answer)
  if (isFault(answer.body)) throw toError({ ...answer.body, fault: 'answer' })
  return { status: answer.status, text: new TextDecoder().decode(answer.body) }
}

function refuse({ refused, reason }: Refusal): OutboundError {
  return new OutboundError(refused, `The address is refused by the outbound address policy: ${reason}.`, true)
}

function toError(fault: Fault): OutboundError {
  const { code, cause } = classifyFault(fault)
  return new OutboundError(code, `The request was not answered (${code}): ${cause.reason}.`, false)
}

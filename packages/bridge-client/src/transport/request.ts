import type { SecureContext } from 'node:tls'
import { type Fault, isFault } from '../failure/fault.ts'
import type { Target } from '../policy/target.ts'
import { type ConnectionOptions, openConnection } from './connection.ts'
import type { ConnectionPool } from './connection-pool.ts'
import { type ExchangeOptions, exchange, type WireAnswer, type WireRequest } from './exchange.ts'
import type { Connection } from './first-connection.ts'

/** Configures {@link sendRequest}. */
export interface RequestOptions extends ConnectionOptions, Omit<ExchangeOptions, 'keep'> {
  /** Idle connections; without them each request has its own. */
  readonly connections: ConnectionPool | undefined
  /** Whether the request is safe to send twice. */
  readonly isRepeatable: boolean
}

/**
 * A request that must not be sent twice may reuse a connection that was active this recently, because the server will
 * not close it as idle.
 */
const recentMs = 1000

/**
 * Sends a request to one of the checked addresses: over an idle connection to it, or over a new one. If the server has
 * closed the idle connection in the meantime, a repeatable request is retried over a new one.
 *
 * @param target - A URL with its checked addresses.
 * @param toWire - Returns the request; called each time it is sent, so that each has its own signature.
 * @param options - Connections, certificates, limits and the attempt's signal.
 */
export async function sendRequest(
  target: Target,
  toWire: () => Promise<WireRequest | Fault>,
  options: RequestOptions,
): Promise<WireAnswer | Fault> {
  const { connections, isRepeatable, signal } = options
  if (!connections) return sendOverNew(target, await toWire(), options)
  const key = toKey(target, options)
  const keep: ExchangeOptions['keep'] = (connection, headers) => connections.keep(connection, key, headers)
  const { addresses } = target
  const idle = connections.take({ key, addresses, ...(isRepeatable ? {} : { maxIdleMs: recentMs }) })
  if (idle) {
    const wire = await toWire()
    if (isFault(wire)) return wire
    const answer = await exchange(idle, wire, { ...options, keep })
    if (!isRepeatable || !isUnanswered(answer) || signal.aborted) return answer
  }
  return sendOverNew(target, await toWire(), { ...options, keep })
}

async function sendOverNew(
  target: Target,
  wire: WireRequest | Fault,
  options: ConnectionOptions & ExchangeOptions,
): Promise<WireAnswer | Fault> {
  if (isFault(wire)) return wire
  const connection: Connection | Fault = await openConnection(target, options)
  return isFault(connection) ? connection : exchange(connection, wire, options)
}

/** Returns whether the connection ended before the first byte of a response. */
function isUnanswered(answer: WireAnswer | Fault): boolean {
  return isFault(answer) && (answer.fault === 'upload' || answer.fault === 'answer')
}

/** Includes the origin even if the address is the same, because a tunnel may route each connection to one host. */
function toKey({ url }: Target, { checkCertificates, secureContext }: ConnectionOptions): string {
  return `${url.origin} ${checkCertificates ? 'checked' : 'unchecked'} ${toNumber(secureContext)}`
}

const numbers = new WeakMap<SecureContext, number>()
let lastNumber = 0

function toNumber(secureContext: SecureContext | undefined): number {
  if (secureContext === undefined) return 0
  const number = numbers.get(secureContext) ?? ++lastNumber
  numbers.set(secureContext, number)
  return number
}

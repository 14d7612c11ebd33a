import { type Fault, isFault } from '../failure/fault.ts'
import type { Refusal } from '../policy/policy.ts'
import { resolveTarget, type TargetOptions } from '../policy/target.ts'
import { type SigningOptions, signRequest, type UnsignedRequest } from './bridge-call.ts'
import { type ConnectionOptions, openConnection } from './connection.ts'
import { type ExchangeOptions, exchange, type WireAnswer, type WireRequest } from './exchange.ts'
import type { Hop } from './redirect.ts'

/** Configures {@link makeHop}. */
export interface HopOptions extends TargetOptions, ConnectionOptions, ExchangeOptions, SigningOptions {}

/** A hop that was answered. */
export interface HopAnswer {
  /** The request, before its signature. */
  readonly request: UnsignedRequest
  readonly answer: WireAnswer
}

/**
 * Resolves and checks the addresses of a hop, signs its request, connects to a checked address and exchanges.
 *
 * @param hop - The target and the request.
 */
export async function makeHop(hop: Hop, options: HopOptions): Promise<HopAnswer | Refusal | Fault> {
  const target = await resolveTarget(hop.admitted, options)
  if ('refused' in target || isFault(target)) return target
  let request: UnsignedRequest
  let wire: WireRequest
  try {
    request = hop.toRequest()
    wire = await signRequest(request, options)
  } catch (error) {
    return { fault: 'prepare', error }
  }
  const connection = await openConnection(target, options)
  if (isFault(connection)) return connection
  const answer = await exchange(connection, wire, options)
  return isFault(answer) ? answer : { request, answer }
}

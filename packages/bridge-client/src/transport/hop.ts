import { type Fault, isFault } from '../failure/fault.ts'
import type { Refusal } from '../policy/policy.ts'
import { resolveTarget, type TargetOptions } from '../policy/target.ts'
import { type SigningOptions, signRequest, type UnsignedRequest } from './bridge-call.ts'
import type { WireAnswer, WireRequest } from './exchange.ts'
import type { Hop } from './redirect.ts'
import { type RequestOptions, sendRequest } from './request.ts'

/** Configures {@link makeHop}. */
export interface HopOptions extends TargetOptions, Omit<RequestOptions, 'isRepeatable'>, SigningOptions {}

/** A hop that received a response. */
export interface HopAnswer {
  /** The request, before its signature. */
  readonly request: UnsignedRequest
  readonly answer: WireAnswer
}

/**
 * Resolves and checks the addresses of a hop, signs its request, and sends it to a checked address.
 *
 * @param hop - The target and the request.
 */
export async function makeHop(hop: Hop, options: HopOptions): Promise<HopAnswer | Refusal | Fault> {
  const target = await resolveTarget(hop.admitted, options)
  if ('refused' in target || isFault(target)) return target
  const request = attempt(hop.toRequest)
  if (isFault(request)) return request
  const toWire = (): Promise<WireRequest | Fault> => signRequest(request, options).catch(toFault)
  // Calls are retried after every lost connection, so bridges receive them again.
  const answer = await sendRequest(target, toWire, { ...options, isRepeatable: true })
  return isFault(answer) ? answer : { request, answer }
}

function attempt(toRequest: Hop['toRequest']): UnsignedRequest | Fault {
  try {
    return toRequest()
  } catch (error) {
    return toFault(error)
  }
}

function toFault(error: unknown): Fault {
  return { fault: 'prepare', error }
}

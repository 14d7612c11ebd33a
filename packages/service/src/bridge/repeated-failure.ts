import { failures } from '@trestle/bridge-client'
import type { BridgeFailure } from './bridge-call.ts'

/**
 * Returns whether a call that failed may succeed later: the bridge was not reached, or did not answer in time.
 *
 * @param failure - The failure, after all attempts of the client.
 */
export function isRepeated({ code }: BridgeFailure): boolean {
  return Object.hasOwn(failures, code) && failures[code as keyof typeof failures].retried
}

import type { Subscriber } from '@trestle/protocol'

/**
 * Returns the recipient of a run.
 *
 * @param given - The option `subscriber`.
 */
export function toSubscriber(given: Subscriber | string = 'subscriber-1'): Subscriber {
  return typeof given === 'string' ? { subscriberId: given } : given
}

/**
 * Returns the id of the recipient of a run.
 *
 * @param given - The option `subscriber`.
 */
export function toSubscriberId(given: Subscriber | string | undefined): string {
  return String(toSubscriber(given).subscriberId)
}

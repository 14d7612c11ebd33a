import type { Subscriber } from '@trestle/protocol'

/** A subscriber with its id. */
export type NamedSubscriber = Subscriber & { readonly subscriberId: string }

/** The subscribers of a test, by id. All runs of a subscriber share one object, so they see later changes. */
export type Subscribers = Map<string, NamedSubscriber>

/**
 * Returns the recipient of a run.
 *
 * @param given - The option `subscriber`.
 */
export function toSubscriber(given: Subscriber | string = {}): NamedSubscriber {
  if (typeof given === 'string') return { subscriberId: given }
  return { ...given, subscriberId: given.subscriberId ?? 'subscriber-1' }
}

/**
 * Stores a subscriber as a trigger does: missing fields keep their stored values.
 *
 * @returns The stored subscriber.
 */
export function storeSubscriber(subscribers: Subscribers, given: NamedSubscriber): NamedSubscriber {
  const subscriber = Object.assign(subscribers.get(given.subscriberId) ?? {}, given)
  subscribers.set(given.subscriberId, subscriber)
  return subscriber
}

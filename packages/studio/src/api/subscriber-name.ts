import type { Subscriber } from './generated/resources.ts'

/** Returns the display name of a subscriber: the name, or else the subscriber id. */
export function nameOf({ firstName, lastName, subscriberId }: Partial<Subscriber>): string {
  const name = [firstName, lastName].filter(Boolean).join(' ')
  return name === '' ? (subscriberId ?? '') : name
}

import type { Subscriber } from './generated/resources.ts'

/** Returns what people call a subscriber: the name where there is one, else the identifier. */
export function nameOf({ firstName, lastName, subscriberId }: Partial<Subscriber>): string {
  const name = [firstName, lastName].filter(Boolean).join(' ')
  return name === '' ? (subscriberId ?? '') : name
}

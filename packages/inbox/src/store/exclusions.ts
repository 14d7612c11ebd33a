import type { NotificationFilter } from './notification-filter.ts'

/**
 * Messages that a list no longer contains, although its filter matches their loaded state. They stay loaded, because
 * a list cannot tell whether a message that it lacks was deleted, or was changed and belongs to another list.
 */
export interface Exclusions {
  add(list: NotificationFilter, ids: readonly string[]): void
  has(list: NotificationFilter, id: string): boolean
  /** Called when the service sends the message again. */
  clear(id: string): void
}

/** Creates exclusions without any messages. */
export function createExclusions(): Exclusions {
  const lists = new Map<string, Set<NotificationFilter>>()
  return {
    add(list, ids) {
      for (const id of ids) lists.set(id, (lists.get(id) ?? new Set()).add(list))
    },
    has: (list, id) => lists.get(id)?.has(list) === true,
    clear: (id) => void lists.delete(id),
  }
}

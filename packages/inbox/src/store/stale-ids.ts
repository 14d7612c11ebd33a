/** The messages of a list that must be refetched: all of them at first. */
export interface StaleIds {
  /** Adds ids, or all messages. */
  add(ids: readonly string[] | undefined): void
  isEmpty(): boolean
  /** Calls a function with the ids. If it fails, they remain stale. */
  refetch(read: (ids: readonly string[] | undefined) => Promise<void>): Promise<void>
}

export function createStaleIds(): StaleIds {
  /** Undefined if all messages are stale. */
  let stale: readonly string[] | undefined
  const add = (ids: readonly string[] | undefined): void => {
    stale = stale && ids && [...new Set([...stale, ...ids])]
  }
  return {
    add,
    isEmpty: () => stale?.length === 0,
    async refetch(read) {
      const ids = stale
      if (ids?.length === 0) return
      stale = []
      try {
        await read(ids)
      } catch (error) {
        add(ids)
        throw error
      }
    },
  }
}

/** Functions that are called when something happens. */
export interface Listeners<Value> {
  /** Adds a function and returns the one that removes it. */
  add(listener: (value: Value) => void): () => void
  /** Calls all of them. An error of one is reported and does not keep the others from being called. */
  emit(value: Value): void
  /** Returns how many there are. */
  count(): number
}

/** Creates an empty set of listeners. */
export function createListeners<Value>(): Listeners<Value> {
  const entries = new Set<{ readonly listener: (value: Value) => void }>()
  return {
    add(listener) {
      const entry = { listener }
      entries.add(entry)
      return () => void entries.delete(entry)
    },
    emit(value) {
      for (const { listener } of [...entries]) {
        try {
          listener(value)
        } catch (error) {
          queueMicrotask(() => {
            throw error
          })
        }
      }
    },
    count: () => entries.size,
  }
}

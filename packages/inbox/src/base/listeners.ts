/** A set of listeners. */
export interface Listeners<Value> {
  /** Adds a listener and returns a function that removes it. */
  add(listener: (value: Value) => void): () => void
  isEmpty(): boolean
  /** Calls all listeners. An error in one is reported and does not affect the others. */
  emit(value: Value): void
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
    isEmpty: () => entries.size === 0,
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
  }
}

const maxTexts = 500
const maxWeight = 4 * 2 ** 20

/** A bounded cache of values by text; it evicts the oldest entries. */
export interface TextCache<TValue> {
  /** Returns the cached value of a text, or creates it. */
  get(text: string, make: (text: string) => TValue): TValue
  /** Returns the number of cached texts and their total weight. */
  kept(): { readonly count: number; readonly weight: number }
}

interface Entry<TValue> {
  readonly value: TValue
  readonly weight: number
}

/**
 * Creates a cache of at most 500 texts and a total weight of 4 Mi.
 *
 * @param weigh - Returns the weight of a text with its value. @default the number of characters
 */
export function createTextCache<TValue>(weigh: (text: string) => number = (text) => text.length): TextCache<TValue> {
  const entries = new Map<string, Entry<TValue>>()
  let total = 0
  const remember = (text: string, value: TValue): void => {
    const added = weigh(text)
    entries.set(text, { value, weight: added })
    total += added
    for (const [oldest, { weight }] of entries) {
      if (entries.size <= maxTexts && total <= maxWeight) return
      entries.delete(oldest)
      total -= weight
    }
  }
  return {
    get(text, make) {
      const entry = entries.get(text)
      if (entry) return entry.value
      const newValue = make(text)
      remember(text, newValue)
      return newValue
    },
    kept: () => ({ count: entries.size, weight: total }),
  }
}

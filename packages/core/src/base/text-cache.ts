const maxTexts = 500
const maxCharacters = 4 * 2 ** 20

/** A bounded cache of values by text; it evicts the oldest entries. */
export interface TextCache<TValue> {
  /** Returns the cached value of a text, or creates it. */
  get(text: string, make: (text: string) => TValue): TValue
  /** Returns the number of cached texts and their total number of characters. */
  kept(): { readonly count: number; readonly characters: number }
}

/** Creates a cache of at most 500 texts and 4 Mi characters in total. */
export function createTextCache<TValue extends NonNullable<unknown> | null>(): TextCache<TValue> {
  const values = new Map<string, TValue>()
  let characters = 0
  const remember = (text: string, value: TValue): void => {
    values.set(text, value)
    characters += text.length
    for (const oldest of values.keys()) {
      if (values.size <= maxTexts && characters <= maxCharacters) return
      values.delete(oldest)
      characters -= oldest.length
    }
  }
  return {
    get(text, make) {
      const cachedValue = values.get(text)
      if (cachedValue !== undefined) return cachedValue
      const newValue = make(text)
      remember(text, newValue)
      return newValue
    },
    kept: () => ({ count: values.size, characters }),
  }
}

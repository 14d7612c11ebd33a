const maxTexts = 500
const maxCharacters = 4 * 2 ** 20

/** What was made of texts; the oldest is let go of where there are too many. */
export interface TextCache<TValue> {
  /** Returns what was made of a text, or makes it. */
  get(text: string, make: (text: string) => TValue): TValue
  /** How many texts are kept, and how many characters they hold. */
  kept(): { readonly count: number; readonly characters: number }
}

/** Creates a cache of at most 500 texts, which hold 4 Mi characters together. */
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
      const known = values.get(text)
      if (known !== undefined) return known
      const made = make(text)
      remember(text, made)
      return made
    },
    kept: () => ({ count: values.size, characters }),
  }
}

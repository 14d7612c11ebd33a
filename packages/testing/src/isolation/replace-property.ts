/** Something that stands in the place of another, until it is taken away. */
export interface Replacement {
  /** Whether it stands there still: fake timers of a test runner may have come, or gone, since. */
  readonly isInPlace: boolean
  /** Puts the original back, unless someone else has taken the place since. */
  restore(): void
}

/**
 * Puts something in the place of a property.
 *
 * @param key - The property; nothing happens where it is missing.
 * @param replace - Creates the replacement of what is there.
 */
export function replaceProperty<TOwner extends object, TKey extends keyof TOwner>(
  owner: TOwner,
  key: TKey,
  replace: (original: TOwner[TKey]) => TOwner[TKey],
): Replacement {
  const original = owner[key]
  if (original === undefined) return { isInPlace: true, restore: () => undefined }
  const replacement = replace(original)
  owner[key] = replacement
  return {
    get isInPlace() {
      return owner[key] === replacement
    },
    restore() {
      if (owner[key] === replacement) owner[key] = original
    },
  }
}

/** Takes several replacements for one. */
export function joinReplacements(all: readonly Replacement[]): Replacement {
  return {
    get isInPlace() {
      return all.every((one) => one.isInPlace)
    },
    restore() {
      for (const one of all) one.restore()
    },
  }
}

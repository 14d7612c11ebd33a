/** A replaced property that can be restored. */
export interface Replacement {
  /** Whether the replacement is still installed; a test runner's fake timers can replace it. */
  readonly isInPlace: boolean
  /** Restores the original, unless something else has replaced it since. */
  restore(): void
}

/**
 * Replaces a property.
 *
 * @param key - The property; ignored if it does not exist.
 * @param replace - Creates the replacement from the current value.
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

/** Combines several replacements. */
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

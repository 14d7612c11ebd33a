/**
 * Puts something in the place of a property.
 *
 * @param owner - The object.
 * @param key - The property; nothing happens where it is missing.
 * @param replace - Creates the replacement of what is there.
 * @returns A function that puts the original back, unless someone else has taken the place since.
 */
export function replaceProperty<TOwner extends object, TKey extends keyof TOwner>(
  owner: TOwner,
  key: TKey,
  replace: (original: TOwner[TKey]) => TOwner[TKey],
): () => void {
  const original = owner[key]
  if (original === undefined) return () => undefined
  const replacement = replace(original)
  owner[key] = replacement
  return () => {
    if (owner[key] === replacement) owner[key] = original
  }
}

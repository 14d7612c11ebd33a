/**
 * Returns a JSON pointer extended by a key.
 *
 * @param path - The pointer.
 * @param key - The key, as it is in the object.
 */
export function joinPath(path: string, key: string | number): string {
  return `${path}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

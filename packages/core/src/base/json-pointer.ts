/**
 * Returns a JSON pointer extended by a key.
 *
 * @param key - The unescaped key.
 */
export function joinPath(path: string, key: string | number): string {
  return `${path}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/**
 * Returns the keys of a JSON pointer, outermost first.
 *
 * @param path - The pointer; an empty one refers to the value itself.
 */
export function splitPath(path: string): readonly string[] {
  return path
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

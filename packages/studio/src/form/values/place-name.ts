/**
 * Returns the display name of a path: the first item of `items` is `items 1`, a list inside it is `tags of items 1`.
 *
 * @param path - The names and indexes of the path; empty for the whole value.
 */
export function placeName(path: readonly (string | number)[]): string {
  const names: string[] = []
  for (const part of path) {
    if (typeof part === 'string') names.unshift(part)
    else names[0] = `${names[0] ?? 'item'} ${part + 1}`
  }
  return names.join(' of ')
}

import { toPointer } from '@trestle/protocol'

/**
 * Returns a JSON pointer extended by a key.
 *
 * @param key - The unescaped key.
 */
export function joinPath(path: string, key: string | number): string {
  return path + toPointer([key])
}

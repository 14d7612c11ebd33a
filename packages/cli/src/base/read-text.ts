import { readFileSync } from 'node:fs'

/** The mark that some editors write at the start of a file; neither JSON nor settings files allow it. */
export const byteOrderMark = '\uFEFF'

/**
 * Reads a text file without its byte order mark.
 *
 * @throws Error - It cannot be read.
 */
export function readText(path: string): string {
  return withoutMark(readFileSync(path, 'utf8'))
}

/** Removes a byte order mark. */
export function withoutMark(text: string): string {
  return text.startsWith(byteOrderMark) ? text.slice(byteOrderMark.length) : text
}

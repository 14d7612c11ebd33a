import { readFileSync } from 'node:fs'

/** Some editors begin a file with it; it is no part of the text, and neither JSON nor a line of settings may have it. */
export const byteOrderMark = '\uFEFF'

/**
 * Returns the text of a file that people write, without the byte-order mark it may begin with.
 *
 * @throws Error - It cannot be read.
 */
export function readText(path: string): string {
  return withoutMark(readFileSync(path, 'utf8'))
}

/** Returns a text without the byte-order mark it may begin with. */
export function withoutMark(text: string): string {
  return text.startsWith(byteOrderMark) ? text.slice(byteOrderMark.length) : text
}

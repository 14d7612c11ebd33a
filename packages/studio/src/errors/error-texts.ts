import errorTexts from 'virtual:error-texts'
import type { ErrorText } from './parse-error-texts.ts'

/** Returns all documented error codes, in the order of the documentation. */
export function listErrorTexts(): readonly ErrorText[] {
  return errorTexts
}

/**
 * Returns the documentation of a code. There are several entries if several components report it.
 *
 * @param code - The code.
 */
export function findErrorTexts(code: string): readonly ErrorText[] {
  return errorTexts.filter((text) => text.code === code)
}

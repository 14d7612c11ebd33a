import errorTexts from 'virtual:error-texts'
import type { ErrorText } from './parse-error-texts.ts'

/** Returns every error code there is a text for, in the order of the documentation. */
export function listErrorTexts(): readonly ErrorText[] {
  return errorTexts
}

/**
 * Returns what is known of a code; several where more than one side reports it.
 *
 * @param code - The code.
 */
export function findErrorTexts(code: string): readonly ErrorText[] {
  return errorTexts.filter((text) => text.code === code)
}

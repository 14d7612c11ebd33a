import { readFileSync } from 'node:fs'
import { warningCodes } from '@trestle/protocol'

/** What is written about a code. */
export interface ErrorText {
  readonly when: string
  readonly why: string
  readonly fix: string
}

/** Whose code it is: some are those of several. */
export type ErrorGroup = 'Bridge' | 'Bridge client' | 'API client' | 'Doctor'

let texts: Readonly<Record<string, Readonly<Record<string, ErrorText>>>> | undefined

/**
 * Returns what the page of errors says about a code, in the words of that page.
 *
 * @param code - A code of the tables, or of a warning.
 * @param group - Whose code it is. @default the first that has it
 */
export function errorText(code: string, group?: ErrorGroup): ErrorText | undefined {
  // Written by the build from the page of errors; it lies at the same place for the sources and for what is built.
  texts ??= JSON.parse(readFileSync(new URL('../../dist/errors.json', import.meta.url), 'utf8')) as typeof texts
  const groups = group === undefined ? Object.values(texts ?? {}) : [texts?.[group]]
  const found = groups.find((codes) => codes && Object.hasOwn(codes, code))?.[code]
  if (found) return found
  if (!Object.hasOwn(warningCodes, code)) return undefined
  return { when: warningCodes[code as keyof typeof warningCodes], why: '', fix: '' }
}

/** The codes of a group. */
export function codesOf(group: ErrorGroup): readonly string[] {
  errorText('')
  return Object.keys(texts?.[group] ?? {})
}

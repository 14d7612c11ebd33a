import { readFileSync } from 'node:fs'
import { warningCodes } from '@trestle/protocol'

/** The documentation of a code. */
export interface ErrorText {
  readonly when: string
  readonly why: string
  readonly fix: string
}

/** The group of a code: some codes appear in several groups. */
export type ErrorGroup = 'Bridge' | 'Bridge client' | 'API client' | 'Doctor'

let texts: Readonly<Record<string, Readonly<Record<string, ErrorText>>>> | undefined

/**
 * Returns the text of the error page for a code.
 *
 * @param code - An error code or a warning code.
 * @param group - The group of the code. @default the first that contains it
 */
export function errorText(code: string, group?: ErrorGroup): ErrorText | undefined {
  // Generated from the error page by the build, at the same relative path for sources and output.
  texts ??= JSON.parse(readFileSync(new URL('../../dist/errors.json', import.meta.url), 'utf8')) as typeof texts
  const groups = group === undefined ? Object.values(texts ?? {}) : [texts?.[group]]
  const entry = groups.find((codes) => codes && Object.hasOwn(codes, code))?.[code]
  if (entry) return entry
  if (!Object.hasOwn(warningCodes, code)) return undefined
  return { when: warningCodes[code as keyof typeof warningCodes], why: '', fix: '' }
}

/** Returns the codes of a group. */
export function codesOf(group: ErrorGroup): readonly string[] {
  errorText('')
  return Object.keys(texts?.[group] ?? {})
}

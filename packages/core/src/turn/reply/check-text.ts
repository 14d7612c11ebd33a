import { replyLimits } from '../../agent/reply-limits.ts'

/** The length limits of a text, in characters. */
export interface TextBounds {
  /** The minimum length. @default 0 */
  readonly min?: number
  readonly max: number
}

/**
 * Checks a text of a reply, so that the agent gets an error that names the field instead of a rejection from the
 * service.
 *
 * @param what - The name of the text, at the start of the error message.
 * @throws TypeError - It is not a string, is too short or too long, or contains characters that cannot be stored.
 */
export function checkText(what: string, given: unknown, { min = 0, max }: TextBounds): string {
  if (typeof given !== 'string') throw new TypeError(`${what} must be a string; got ${describe(given)}.`)
  if (given.length < min) throw new TypeError(`${what} must not be empty.`)
  if (given.length > max) throw new TypeError(`${what} has ${given.length} characters; the maximum is ${max}.`)
  const faults = {
    'the character U+0000': given.indexOf('\0'),
    'an unpaired surrogate': given.search(/\p{Surrogate}/u),
  }
  for (const [fault, position] of Object.entries(faults))
    if (position >= 0) throw new TypeError(`${what} has ${fault} at position ${position}, which cannot be stored.`)
  return given
}

/**
 * Checks the length of a value that is sent along with a conversation.
 *
 * @param what - The name of the value, at the start of the error message.
 * @param value - The value, as JSON data.
 * @throws TypeError - It is too long.
 */
export function checkValueLength(what: string, value: unknown): void {
  const { length } = JSON.stringify(value) ?? ''
  if (length > replyLimits.value)
    throw new TypeError(`${what} has ${length} characters as JSON; the maximum is ${replyLimits.value}.`)
}

function describe(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value
}

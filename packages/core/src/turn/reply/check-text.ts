import { replyLimits } from '../../agent/reply-limits.ts'

/** How long a text may be, in characters. */
export interface TextBounds {
  /** The fewest. @default 0 */
  readonly min?: number
  /** The most. */
  readonly max: number
}

/**
 * Checks a text of a reply, so that the agent is told what is wrong and where instead of that the service refused it.
 *
 * @param what - What the text is, as the message begins.
 * @param given - The text.
 * @param bounds - How long it may be.
 * @returns The text.
 * @throws TypeError - It is none, too short or too long, or holds what no service stores.
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
 * Checks that a value that travels with a conversation is not too long.
 *
 * @param what - What the value is, as the message begins.
 * @param value - The value, as JSON carries it.
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

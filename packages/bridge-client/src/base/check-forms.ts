import { isObject } from '@trestle/protocol'

/** Returns whether an option value is valid. */
export type Check = (value: unknown) => boolean

/** The check for each option, and its description in a message. */
export type Forms<TName extends string> = Readonly<Record<TName, readonly [isValid: Check, mustBe: string]>>

/** The characters of a method or a header name, according to RFC 9110. */
export const token: RegExp = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** The longest delay that a Node timer supports, in milliseconds. */
export const maxTimerMs: number = 2 ** 31 - 1

/** Returns a check for whole numbers from 1. */
export function isInteger(max: number): Check {
  return (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= max
}

/**
 * Checks options. A value of `undefined` counts as absent.
 *
 * @param owner - The function that takes the options, for messages.
 * @throws TypeError - The options are not an object, or one is unknown or invalid; the message names it.
 */
export function checkForms(
  owner: string,
  options: unknown,
  forms: Forms<string>,
): asserts options is Record<string, unknown> {
  if (!isObject(options)) throw new TypeError(`${owner} needs an options object.`)
  for (const [name, value] of Object.entries(options)) {
    const form = Object.hasOwn(forms, name) ? forms[name] : undefined
    if (form === undefined) throw new TypeError(`${owner} has no option "${name}".`)
    const [isValid, mustBe] = form
    if (value !== undefined && !isValid(value)) throw new TypeError(`${name} must be ${mustBe}.`)
  }
}

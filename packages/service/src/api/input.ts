import type { JsonObject } from '@trestle/protocol'
import { parseUrl } from '@trestle/protocol'
import { z } from 'zod'

const { isWellFormed } = String.prototype as unknown as { isWellFormed(this: string): boolean }

/** Most of a text that identifies something. */
export const maxKeyLength = 255

/** Returns whether a text can be stored as it is. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && isWellFormed.call(text)
}

const unstorable = 'must not hold the character U+0000 or half a surrogate pair'

/**
 * Returns the schema of a text.
 *
 * @param max - The most characters.
 */
export function text(max = 10_000): z.ZodType<string> {
  return z.string().max(max, `must have at most ${max} characters`).refine(isStorable, unstorable)
}

/** Returns the schema of a text that is not empty. */
export function filledText(max: number = maxKeyLength): z.ZodType<string> {
  return z
    .string()
    .min(1, 'must not be empty')
    .max(max, `must have at most ${max} characters`)
    .refine(isStorable, unstorable)
}

/** A part of a path that is `.` or `..` is taken out by every client, so what is called that could not be asked for. */
export const unreachable = 'must not be "." or "..", which no address can hold'

/** Returns whether an address can hold an identifier. */
export function isReachable(id: string): boolean {
  return id !== '.' && id !== '..'
}

/** Returns the schema of an identifier that callers choose freely, and that is a part of addresses. */
export function pathId(): z.ZodType<string> {
  return filledText().refine(isReachable, unreachable)
}

/** Returns the schema of an identifier that callers choose: letters, digits, `-`, `_`, `:`, `.`, `@` and `+`. */
export function key(): z.ZodType<string> {
  return z
    .string()
    .min(1, 'must not be empty')
    .max(maxKeyLength, `must have at most ${maxKeyLength} characters`)
    .regex(/^[\w\-:.@+]+$/, 'must consist of letters, digits, "-", "_", ":" and ".", or be an e-mail address')
    .refine(isReachable, unreachable)
}

/** Returns the schema of a free JSON object; it is passed on as it came. */
export function jsonObject(): z.ZodType<Readonly<Record<string, unknown>>> {
  return z
    .custom<Readonly<Record<string, unknown>>>(
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      'must be an object',
    )
    .meta({ type: 'object' })
}

/**
 * Returns the schema of an object whose names are the sender's. Records and loose objects of zod's leave a field named
 * `__proto__` out without a word, so that one is refused.
 *
 * @param message - What is said of it.
 */
export function namedFields(
  message = 'must not have a field "__proto__"',
): z.ZodType<Readonly<Record<string, unknown>>> {
  return jsonObject().refine((given) => !Object.hasOwn(given, '__proto__'), message)
}

/**
 * Returns the schema of an object of values of one kind, whose names are the sender's. See {@link namedFields}.
 *
 * @param name - What names must be.
 * @param value - What values must be.
 */
export function jsonMap<TValue>(
  name: z.ZodType<string>,
  value: z.ZodType<TValue>,
): z.ZodType<Readonly<Record<string, TValue>>> {
  return namedFields().pipe(z.record(name, value))
}

/** Returns the schema of an address that is called; whether it may be is found out when it is. */
export function webAddress(max = 5000): z.ZodType<string> {
  return text(max).refine(isWebAddress, 'must be a URL that begins with http:// or https://')
}

function isWebAddress(url: string): boolean {
  return /^https?:\/\//i.test(url) && parseUrl(url) !== undefined
}

/** Returns the schema of a time zone, such as `Europe/Berlin`. */
export function timezone(): z.ZodType<string> {
  return text(100).refine(isTimezone, 'must be the name of a time zone, such as Europe/Berlin')
}

function isTimezone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

const letter = '[\\p{L}\\p{M}\\p{N}]'
const label = `${letter}(?:[\\p{L}\\p{M}\\p{N}-]{0,61}${letter})?`
const atom = "[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+"
const mailPattern = new RegExp(`^${atom}(?:\\.${atom})*@(?:${label}\\.)+(?!\\p{N}+$)(?=..)${label}$`, 'u')

/**
 * Returns the schema of a mail address, of any letters: one address of a full domain, without a name, quotes or comments.
 */
export function mailAddress(): z.ZodType<string> {
  return z
    .email({ pattern: mailPattern, error: 'must be an e-mail address' })
    .max(320, 'must have at most 320 characters')
    .refine(isStorable, unstorable)
}

/** A query is text; the description of the API names what it stands for, not how that is written. */
const described = (type: 'integer' | 'boolean') => ({ type, pattern: undefined, enum: undefined })

/** How a number in a query is bounded. */
export interface NumberBounds {
  /** The value where it is left out. */
  readonly fallback: number
  /** The smallest. @default 0 */
  readonly min?: number
  /** The largest. */
  readonly max: number
}

/** Returns the schema of a whole number in a query. */
export function queryNumber({ fallback, min = 0, max }: NumberBounds): z.ZodType<number> {
  return z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .meta({ ...described('integer'), minimum: min, maximum: max, default: fallback })
    .transform(Number)
    .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`))
    .optional()
    .transform((value) => value ?? fallback)
}

/** Returns the schema of a truth value in a query; undefined when it is left out. Python writes it as `True`. */
export function queryFlag(): z.ZodType<boolean | undefined> {
  return z
    .enum(['true', 'false', 'True', 'False', '1', '0'], 'must be true or false')
    .meta(described('boolean'))
    .transform((value) => value === 'true' || value === 'True' || value === '1')
    .optional()
}

/**
 * Returns the schema of a list in a query: one value, or the key several times. Programs that have no value send an empty
 * one, which counts as left out.
 */
export function queryList(max = 100): z.ZodType<string[] | undefined> {
  return z
    .union([text(), z.array(text()).max(max, `must have at most ${max} values`)])
    .transform((value) => [value].flat().filter((one) => one !== ''))
    .transform((values) => (values.length === 0 ? undefined : values))
    .optional()
}

/** Returns the schema of a text in a query; undefined when it is left out, or empty. */
export function queryText(max = 500): z.ZodType<string | undefined> {
  return text(max)
    .transform((value) => value || undefined)
    .optional()
}

/** Returns what a schema takes, as JSON Schema: for `meta` of a schema that checks less, or in another way. */
export function describeInput(schema: z.ZodType): JsonObject {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return described
}

import type { JsonObject } from '@trestle/protocol'
import { isObject, isWebAddress } from '@trestle/protocol'
import { isTimezone } from '@trestle/run-rules'
import { z } from 'zod'

const { isWellFormed } = String.prototype as unknown as { isWellFormed(this: string): boolean }

/** The maximum length of an identifying string. */
export const maxKeyLength = 255

/** Returns whether a string can be stored without changes. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && isWellFormed.call(text)
}

const unstorable = 'must not contain the character U+0000 or an unpaired surrogate'

/**
 * Returns the schema of a string.
 *
 * @param max - The maximum length.
 */
export function text(max = 10_000): z.ZodType<string> {
  return z.string().max(max, `must have at most ${max} characters`).refine(isStorable, unstorable)
}

/** Returns the schema of a string that is not empty. */
export function filledText(max: number = maxKeyLength): z.ZodType<string> {
  return z
    .string()
    .min(1, 'must not be empty')
    .max(max, `must have at most ${max} characters`)
    .refine(isStorable, unstorable)
}

/** The error for the identifiers `.` and `..`: clients remove such path segments, so they could never be requested. */
export const unreachable = 'must not be "." or "..", because these cannot be part of a URL path'

/** Returns whether an identifier can be part of a URL path. */
export function isReachable(id: string): boolean {
  return id !== '.' && id !== '..'
}

/** Returns the schema of a free-form identifier that can be part of a URL path. */
export function pathId(): z.ZodType<string> {
  return filledText()
    .refine((id) => id.trim() !== '', 'must not consist of spaces only')
    .refine(isReachable, unreachable)
}

/** Returns the schema of an identifier that consists of letters, digits, `-`, `_`, `:`, `.`, `@` and `+`. */
export function key(): z.ZodType<string> {
  return z
    .string()
    .min(1, 'must not be empty')
    .max(maxKeyLength, `must have at most ${maxKeyLength} characters`)
    .regex(/^[\w\-:.@+]+$/, 'must consist of letters, digits, "-", "_", ":" and ".", or be an email address')
    .refine(isReachable, unreachable)
}

/** Returns the schema of an arbitrary JSON object, which is passed through unchanged. */
export function jsonObject(): z.ZodType<Readonly<Record<string, unknown>>> {
  return z.custom<Readonly<Record<string, unknown>>>(isObject, 'must be an object').meta({ type: 'object' })
}

/**
 * Returns the schema of an object whose field names are chosen by the sender. It rejects a field `__proto__`, which
 * Zod's records and loose objects would silently drop.
 *
 * @param message - The error message.
 */
export function namedFields(
  message = 'must not have a field "__proto__"',
): z.ZodType<Readonly<Record<string, unknown>>> {
  return jsonObject().refine((given) => !Object.hasOwn(given, '__proto__'), message)
}

/**
 * Returns the schema of an object with values of one type and field names chosen by the sender. See
 * {@link namedFields}.
 *
 * @param name - The schema of the names.
 * @param value - The schema of the values.
 */
export function jsonMap<TValue>(
  name: z.ZodType<string>,
  value: z.ZodType<TValue>,
): z.ZodType<Readonly<Record<string, TValue>>> {
  return namedFields().pipe(z.record(name, value))
}

/** Returns the schema of a URL that the service calls. The network policy is checked later, for each call. */
export function webAddress(max = 5000): z.ZodType<string> {
  return text(max).refine(isWebAddress, 'must be a URL that starts with http:// or https://')
}

/** Returns the schema of a time zone, such as `Europe/Berlin`. */
export function timezone(): z.ZodType<string> {
  return text(100).refine(isTimezone, 'must be the name of a time zone, such as Europe/Berlin')
}

const letter = '[\\p{L}\\p{M}\\p{N}]'
const label = `${letter}(?:[\\p{L}\\p{M}\\p{N}-]{0,61}${letter})?`
const atom = "[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+"
const mailPattern = new RegExp(`^${atom}(?:\\.${atom})*@(?:${label}\\.)+(?!\\p{N}+$)(?=..)${label}$`, 'u')

/**
 * Returns the schema of an email address with a full domain, in any script, without a display name, quotes or comments.
 */
export function mailAddress(): z.ZodType<string> {
  return z
    .email({ pattern: mailPattern, error: 'must be an email address' })
    .max(320, 'must have at most 320 characters')
    .refine(isStorable, unstorable)
}

/**
 * Describes a query parameter: its value is text, but the API description contains the type that the text represents.
 */
const described = (type: 'integer' | 'boolean') => ({ type, pattern: undefined, enum: undefined })

/** The bounds of a number in a query. */
export interface NumberBounds {
  /** The default value. */
  readonly fallback: number
  /** The minimum. @default 0 */
  readonly min?: number
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

/** Returns the schema of a boolean in a query; undefined if omitted. Also accepts Python's `True`. */
export function queryFlag(): z.ZodType<boolean | undefined> {
  return z
    .enum(['true', 'false', 'True', 'False', '1', '0'], 'must be true or false')
    .meta(described('boolean'))
    .transform((value) => value === 'true' || value === 'True' || value === '1')
    .optional()
}

/**
 * Returns the schema of a list in a query: a single value, or a repeated parameter. An empty value counts as omitted.
 */
export function queryList(max = 100): z.ZodType<string[] | undefined> {
  return z
    .union([text(), z.array(text()).max(max, `must have at most ${max} values`)])
    .transform((value) => [value].flat().filter((one) => one !== ''))
    .transform((values) => (values.length === 0 ? undefined : values))
    .optional()
}

/** Returns the schema of a string in a query; undefined if omitted or empty. */
export function queryText(max = 500): z.ZodType<string | undefined> {
  return text(max)
    .transform((value) => value || undefined)
    .optional()
}

/** Returns the input of a schema as JSON Schema, for the `meta` of a schema with custom checks. */
export function describeInput(schema: z.ZodType): JsonObject {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return described
}

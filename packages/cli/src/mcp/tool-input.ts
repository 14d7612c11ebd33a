import { isObject, nearest } from '@trestle/protocol'
import { CommandError } from '../terminal/command-error.ts'

/** An argument of a tool: its schema for clients, and how its value is read. */
export interface Field<T> {
  /** JSON Schema of the value. */
  readonly schema: object
  /** Whether the argument is required. */
  readonly isRequired: boolean
  /** Returns the value, or undefined if it has a different type. */
  read(value: unknown): T | undefined
  /** A description of the expected value, for the error: `a string of at most 200 characters`. */
  readonly kind: string
  /** The default value. */
  readonly fallback?: T
}

/** The arguments of a tool, by name. */
export type Fields = Readonly<Record<string, Field<unknown>>>

/** The values of arguments. */
export type InputOf<F extends Fields> = {
  readonly [Name in keyof F]: F[Name] extends Field<infer T> ? T : never
}

/**
 * Returns an optional string argument.
 *
 * @param description - The meaning, for the agent.
 * @param maxLength - The maximum length of the value. @default 500
 */
export function text(description: string, maxLength = 500): Field<string | undefined> {
  return {
    schema: { type: 'string', description, minLength: 1, maxLength },
    isRequired: false,
    read: (value) => (typeof value === 'string' && value !== '' && value.length <= maxLength ? value : undefined),
    kind: `a string of 1 to ${maxLength} characters`,
  }
}

/**
 * Returns an optional argument that is a JSON object.
 *
 * @param description - The meaning, for the agent.
 */
export function object(description: string): Field<Readonly<Record<string, unknown>> | undefined> {
  return {
    schema: { type: 'object', description },
    isRequired: false,
    read: (value) => (isObject(value) ? value : undefined),
    kind: 'an object',
  }
}

/**
 * Returns an optional argument with a fixed set of values.
 *
 * @param description - The meaning, for the agent.
 */
export function choice<const W extends string>(description: string, words: readonly W[]): Field<W | undefined> {
  return {
    schema: { type: 'string', description, enum: words },
    isRequired: false,
    read: (value) => words.find((word) => word === value),
    kind: `one of ${words.join(', ')}`,
  }
}

/** Returns an argument that limits the number of returned items. */
export function limit(fallback: number, max: number): Field<number> {
  return {
    schema: {
      type: 'integer',
      description: `The maximum number of results; ${fallback} by default.`,
      minimum: 1,
      maximum: max,
      default: fallback,
    },
    isRequired: false,
    read: (value) =>
      Number.isInteger(value) && Number(value) >= 1 && Number(value) <= max ? Number(value) : undefined,
    kind: `an integer from 1 to ${max}`,
    fallback,
  }
}

/**
 * Returns an argument for the recipients of a trigger, in the format of the API.
 *
 * @param description - The meaning, for the agent.
 */
export function recipient(description: string): Field<string | Readonly<Record<string, unknown>> | undefined> {
  const [id, subscriber] = [text(''), object('')]
  return {
    schema: { type: ['string', 'object'], description },
    isRequired: false,
    read: (value) => id.read(value) ?? subscriber.read(value),
    kind: 'a subscriber id, or a recipient object of the API',
  }
}

/** Makes an argument required. */
export function required<T>(field: Field<T | undefined>): Field<T> {
  return { ...field, isRequired: true } as Field<T>
}

/** Returns the JSON Schema of a tool's arguments. */
export function toInputSchema(fields: Fields): object {
  const names = Object.keys(fields).filter((name) => fields[name]?.isRequired)
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])),
    ...(names.length > 0 && { required: names }),
    additionalProperties: false,
  }
}

/**
 * Reads the arguments of a call. `null` counts as omitted, because some models send it for unset arguments.
 *
 * @throws {CommandError} An argument is unknown, missing or has the wrong type.
 */
export function readInput<F extends Fields>(fields: F, value: unknown): InputOf<F> {
  if (value !== undefined && value !== null && !isObject(value))
    throw new CommandError('The arguments must be an object.')
  const values = value ?? {}
  const names = Object.keys(fields)
  for (const name of Object.keys(values)) if (!Object.hasOwn(fields, name)) throw toUnknown(name, names)
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      readField(name, field, Object.hasOwn(values, name) ? values[name] : undefined),
    ]),
  ) as InputOf<F>
}

function readField(name: string, field: Field<unknown>, value: unknown): unknown {
  if (value === undefined || value === null) {
    if (field.isRequired) throw new CommandError(`The argument \`${name}\` is missing. It must be ${field.kind}.`)
    return field.fallback
  }
  const read = field.read(value)
  if (read === undefined) throw new CommandError(`The argument \`${name}\` must be ${field.kind}.`)
  return read
}

function toUnknown(name: string, names: readonly string[]): CommandError {
  const near = nearest(name, names)
  const fix = near === undefined ? `Arguments: ${names.join(', ') || 'none'}.` : `Did you mean \`${near}\`?`
  return new CommandError(`Unknown argument ${JSON.stringify(name.slice(0, 100))}.`, { fix })
}

import type { JsonObject } from '@trestle/protocol'

const shownValues = 20

const messages: Readonly<Record<string, (limit: unknown) => string>> = {
  type: (type) => `must be ${alternatives((Array.isArray(type) ? type : [type]).map(typePhrase))}`,
  const: (value) => `must be ${JSON.stringify(value)}`,
  enum: (values) => `must be one of ${listOf(values)}`,
  minLength: (limit) => `must have at least ${counted(limit, 'character')}`,
  maxLength: (limit) => `must have at most ${counted(limit, 'character')}`,
  pattern: (pattern) => `must match the pattern ${pattern}`,
  format: (format) => `must be in the format "${format}"`,
  minimum: (limit) => `must be at least ${limit}`,
  maximum: (limit) => `must be at most ${limit}`,
  exclusiveMinimum: (limit) => `must be greater than ${limit}`,
  exclusiveMaximum: (limit) => `must be less than ${limit}`,
  multipleOf: (limit) => `must be a multiple of ${limit}`,
  minItems: (limit) => `must have at least ${counted(limit, 'item')}`,
  maxItems: (limit) => `must have at most ${counted(limit, 'item')}`,
  uniqueItems: () => 'must not have duplicate items',
  contains: () => 'must have an item of the required form',
  minContains: (limit) => `must have at least ${counted(limit, 'item')} of the required form`,
  maxContains: (limit) => `must have at most ${counted(limit, 'item')} of the required form`,
  minProperties: (limit) => `must have at least ${counted(limit, 'key')}`,
  maxProperties: (limit) => `must have at most ${counted(limit, 'key')}`,
  required: () => 'is required',
  not: () => 'has a form that is not allowed',
  false: () => 'is not allowed',
}

/**
 * Describes what a keyword requires. A custom `errorMessage` in the schema takes precedence.
 *
 * @param otherwise - The message for keywords that have no text here.
 */
export function keywordMessage(
  keyword: string,
  schema: JsonObject,
  otherwise: string = `does not match the keyword "${keyword}"`,
): string {
  const own = schema['errorMessage']
  if (typeof own === 'string') return own
  const write = Object.hasOwn(messages, keyword) ? messages[keyword] : undefined
  return write ? write(schema[keyword]) : otherwise
}

/**
 * Returns the message for a key that is not allowed.
 *
 * @example
 * unknownKeyMessage('colour') // 'unknown key "colour"'
 */
export function unknownKeyMessage(key: string): string {
  return `unknown key "${key}"`
}

/** Joins phrases with "or". */
export function alternatives(phrases: readonly string[]): string {
  return phrases.length < 2 ? (phrases[0] ?? '') : `${phrases.slice(0, -1).join(', ')} or ${phrases.at(-1)}`
}

function typePhrase(type: unknown): string {
  if (type === 'null') return 'null'
  return `${type === 'integer' || type === 'array' || type === 'object' ? 'an' : 'a'} ${type}`
}

function counted(limit: unknown, noun: string): string {
  return `${limit} ${noun}${limit === 1 ? '' : 's'}`
}

function listOf(values: unknown): string {
  if (!Array.isArray(values)) return JSON.stringify(values)
  const displayedValues = values.slice(0, shownValues).map((value) => JSON.stringify(value))
  return values.length > shownValues ? `${displayedValues.join(', ')}, ...` : displayedValues.join(', ')
}

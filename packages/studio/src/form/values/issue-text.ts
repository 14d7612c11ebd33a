import type { OutputUnit } from '@cfworker/json-schema'
import { decodePercent, splitPointer } from '@trestle/protocol'
import type { JsonSchema } from '../../api/json-schema.ts'
import { ownEntry } from '../../base/own-entry.ts'
import { followReference } from './follow-reference.ts'

/** Sentences by keyword, from the value of the keyword. */
const sentences: Readonly<Record<string, (limit: unknown) => string>> = {
  pattern: (limit) => `Must match the pattern ${limit}`,
  format: (limit) => `Must be a valid ${limit}.`,
  type: (limit) => `Must be of type ${[limit].flat().join(' or ')}.`,
  const: (limit) => `Must be ${JSON.stringify(limit)}.`,
  enum: (limit) => `Must be one of ${[limit].flat().map(toJson).join(', ')}.`,
  minLength: (limit) => (limit === 1 ? 'Must not be empty.' : `Must have at least ${limit} characters.`),
  maxLength: (limit) => `Must have at most ${limit} characters.`,
  minItems: (limit) => `Must have at least ${limit === 1 ? '1 item' : `${limit} items`}.`,
  maxItems: (limit) => `Must have at most ${limit === 1 ? '1 item' : `${limit} items`}.`,
  uniqueItems: () => 'Must not contain the same item twice.',
  minimum: (limit) => `Must be at least ${limit}.`,
  maximum: (limit) => `Must be at most ${limit}.`,
  exclusiveMinimum: (limit) => `Must be greater than ${limit}.`,
  exclusiveMaximum: (limit) => `Must be less than ${limit}.`,
  multipleOf: (limit) => `Must be a multiple of ${limit}.`,
}
const toJson = (value: unknown): string => JSON.stringify(value)

/**
 * Returns an error of the validator in the words of the bridge, with the violated limit.
 *
 * @param unit - The error.
 * @param schema - The schema of the whole value.
 */
export function toIssueText({ keyword, keywordLocation, error }: OutputUnit, schema: JsonSchema): string {
  const limit = find(keywordLocation, schema)
  const sentence = ownEntry(sentences, keyword)
  return sentence === undefined || limit === undefined ? error : sentence(limit)
}

/** Returns the value of a keyword; undefined if its location cannot be followed. */
function find(location: string, root: JsonSchema): unknown {
  return splitPointer(decodePercent(location)).reduce<unknown>((at, name) => {
    if (typeof at !== 'object' || at === null) return undefined
    if (name === '$ref') return followReference(at, root)
    return Object.hasOwn(at, name) ? Reflect.get(at, name) : undefined
  }, root)
}

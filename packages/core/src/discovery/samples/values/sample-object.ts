import type { JsonObject } from '@trestle/protocol'
import { isObject, setOwn } from '../../../base/json.ts'
import type { SampleLocation, ToField } from './sample-location.ts'

const fieldKeywords = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  '$schema',
  'title',
  'description',
])
const known = new WeakMap<object, boolean>()

/**
 * Returns whether a schema tells the fields of an object and nothing else, so that there is nothing to choose.
 *
 * @param schema - The schema, references not followed.
 */
export function hasOnlyFields(schema: unknown): schema is JsonObject {
  if (!isObject(schema)) return false
  const found = known.get(schema)
  if (found !== undefined) return found
  const isSo =
    schema['type'] === 'object' &&
    isObject(schema['properties']) &&
    Object.keys(schema).every((keyword) => fieldKeywords.has(keyword))
  known.set(schema, isSo)
  return isSo
}

/**
 * Creates a sample object. Where reading must be noticed its fields are own accessors: spread, JSON, `structuredClone`
 * and `Object.keys` work as on data, and each field is made at its first read.
 *
 * @param schema - The object's schema, references followed.
 * @param place - Where it is for.
 * @param sampleOf - Makes the sample of a field.
 */
export function sampleObjectFields(
  schema: JsonObject,
  place: SampleLocation,
  sampleOf: (schema: unknown, place: SampleLocation, optional: boolean) => unknown,
): JsonObject {
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
  const object: JsonObject = {}
  // Fields that are only named as required. Where reads are noticed, such an object answers whatever it is asked.
  const others = place.lazy ? [] : required.map(String).filter((name) => !Object.hasOwn(properties, name))
  for (const name of [...Object.keys(properties), ...others]) {
    const make = (): unknown =>
      sampleOf(
        Object.hasOwn(properties, name) ? properties[name] : otherOf(schema, name),
        { ...place, path: `${place.path}/${name}`, name, depth: place.depth + 1 },
        !required.includes(name),
      )
    if (place.lazy)
      defineLazily(object, name, { make, onRead: () => place.variationSource.touch(`${place.path}/${name}`) })
    else defineField(object, name, make())
  }
  return object
}

/**
 * Returns what makes the fields of an object whose schema only says of what kind they are; nothing where it does not, or
 * reads need not be noticed.
 *
 * @param schema - The object's schema, references followed.
 * @param place - Where it is for.
 * @param sampleOf - Makes the sample of a field.
 */
export function toFieldsOf(
  { additionalProperties }: JsonObject,
  place: SampleLocation,
  sampleOf: (schema: unknown, place: SampleLocation, optional: boolean) => unknown,
): ToField | undefined {
  if (!place.lazy || !isObject(additionalProperties) || Object.keys(additionalProperties).length === 0) return undefined
  return (name) => {
    const path = `${place.path}/${name}`
    return sampleOf(additionalProperties, { ...place, path, name, depth: place.depth + 1 }, true)
  }
}

function otherOf({ patternProperties, additionalProperties = {} }: JsonObject, name: string): unknown {
  const patterns = isObject(patternProperties) ? Object.entries(patternProperties) : []
  return patterns.find(([pattern]) => new RegExp(pattern, 'u').test(name))?.[1] ?? additionalProperties
}

function defineField(object: JsonObject, name: string, value: unknown): void {
  if (value !== undefined) setOwn(object, name, value)
}

/** Makes the value at the first read, and counts the others: each may decide something else. */
function defineLazily(
  object: JsonObject,
  name: string,
  { make, onRead }: { readonly make: () => unknown; readonly onRead: () => void },
): void {
  let made: { readonly value: unknown } | undefined
  Object.defineProperty(object, name, {
    enumerable: true,
    configurable: true,
    get() {
      if (made) onRead()
      else made = { value: make() }
      return made.value
    },
    set(value: unknown) {
      setOwn(object, name, value)
    },
  })
}

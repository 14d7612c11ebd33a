import { isObject, type JsonObject, setOwn } from '@trestle/protocol'
import type { SampleLocation } from './sample-location.ts'

/**
 * Creates a sample object. For tracked data its fields are own accessors: spread, JSON, `structuredClone` and
 * `Object.keys` work, and each field is created at its first read.
 *
 * @param schema - The object's schema, with references resolved.
 * @param place - The location of the object.
 * @param sampleOf - Creates the sample of a field.
 */
export function sampleObjectFields(
  schema: JsonObject,
  place: SampleLocation,
  sampleOf: (schema: unknown, place: SampleLocation, optional: boolean) => unknown,
): JsonObject {
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
  const object: JsonObject = {}
  // Required fields without a schema. Reading any property of a tracked object without listed properties returns a
  // value.
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

function otherOf({ patternProperties, additionalProperties = {} }: JsonObject, name: string): unknown {
  const patterns = isObject(patternProperties) ? Object.entries(patternProperties) : []
  return patterns.find(([pattern]) => new RegExp(pattern, 'u').test(name))?.[1] ?? additionalProperties
}

function defineField(object: JsonObject, name: string, value: unknown): void {
  if (value !== undefined) setOwn(object, name, value)
}

/** Creates the value on first read, and counts later reads, because each may be part of a condition. */
function defineLazily(
  object: JsonObject,
  name: string,
  { make, onRead }: { readonly make: () => unknown; readonly onRead: () => void },
): void {
  let cache: { readonly value: unknown } | undefined
  Object.defineProperty(object, name, {
    enumerable: true,
    configurable: true,
    get() {
      if (cache) onRead()
      else cache = { value: make() }
      return cache.value
    },
    set(value: unknown) {
      setOwn(object, name, value)
    },
  })
}

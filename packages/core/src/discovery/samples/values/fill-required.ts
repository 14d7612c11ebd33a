import { isObject, type JsonObject, setOwn } from '@trestle/protocol'
import { resolveSchema } from './resolve-schema.ts'
import { sampleOf } from './sample.ts'
import type { SampleLocation } from './sample-location.ts'

const maxDepth = 30

/**
 * Fills in missing values that a schema requires or has a default for. Given data is never modified, and missing
 * optional values stay absent at every depth.
 *
 * @param schema - The schema of the data.
 * @param given - The data, which is not modified.
 * @param place - The location of the data.
 */
export function fillRequired(schema: unknown, given: unknown, place: SampleLocation): unknown {
  if (place.depth > maxDepth) return given
  const resolved = toBranch(resolveSchema(schema, place.root), given, place)
  if (Array.isArray(given))
    return given.map((item, index) => {
      const { prefixItems, items } = resolved
      const own: unknown = Array.isArray(prefixItems) && index < prefixItems.length ? prefixItems[index] : items
      return isObject(own) ? fillRequired(own, item, toInner(place, `${index}`)) : item
    })
  return isObject(given) ? fillFields(resolved, given, place) : given
}

function fillFields(schema: JsonObject, given: JsonObject, place: SampleLocation): JsonObject {
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
  const filled: Record<string, unknown> = { ...given }
  for (const name of Object.keys(given)) {
    const value = given[name]
    const fieldSchema = Object.hasOwn(properties, name) && typeof value === 'object' ? properties[name] : undefined
    if (fieldSchema !== undefined) filled[name] = fillRequired(fieldSchema, value, toInner(place, name))
  }
  for (const name of [...Object.keys(properties), ...required.map(String)]) {
    if (Object.hasOwn(filled, name)) continue
    const own: unknown = Object.hasOwn(properties, name) ? properties[name] : {}
    const value = sampleOf(own, { ...toInner(place, name), isMinimal: true }, !required.includes(name))
    if (value !== undefined) setOwn(filled, name, value)
  }
  return filled
}

function toInner(place: SampleLocation, name: string): SampleLocation {
  return { ...place, path: `${place.path}/${name}`, name, depth: place.depth + 1 }
}

/**
 * Returns the only branch of a union that the data can match; if there are several, the missing fields cannot be
 * determined.
 */
function toBranch(schema: JsonObject, given: unknown, { root }: SampleLocation): JsonObject {
  const { oneOf, anyOf, ...base } = schema
  const branches = oneOf ?? anyOf
  if (!Array.isArray(branches)) return schema
  const left = branches.map((branch) => resolveSchema(branch, root)).filter((branch) => canBe(branch, given, root))
  const [only] = left
  return left.length === 1 && only ? resolveSchema({ allOf: [base, only] }, root) : base
}

function canBe(schema: JsonObject, given: unknown, root: unknown): boolean {
  const types = schema['type'] === undefined ? undefined : [schema['type']].flat()
  const own = Array.isArray(given) ? 'array' : given === null ? 'null' : typeof given
  if (types && !types.includes(own) && !(own === 'number' && types.includes('integer'))) return false
  if (Object.hasOwn(schema, 'const') && schema['const'] !== given) return false
  if (Array.isArray(schema['enum']) && !schema['enum'].includes(given)) return false
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  return (
    !isObject(given) ||
    Object.entries(properties).every(
      ([name, property]) => !Object.hasOwn(given, name) || canBe(resolveSchema(property, root), given[name], root),
    )
  )
}

import type { Narrowing } from './narrowing.ts'
import { type Comparison, into, narrowing, type SchemaObject, toSchema } from './schema-pair.ts'

/** Returns the paths at which the later schema rejects items that the earlier one accepted. */
export function compareArrays(before: SchemaObject, after: SchemaObject, at: Comparison): readonly Narrowing[] {
  const narrowings: Narrowing[] = []
  if (after['uniqueItems'] && before['uniqueItems'] !== true)
    narrowings.push(...narrowing(at, 'items must now be unique'))
  const [was, is] = [readItems(before), readItems(after)]
  const places = Math.max(was.first.length, is.first.length)
  for (let index = 0; index < places; index++)
    narrowings.push(...at.compare(was.first[index] ?? was.rest, is.first[index] ?? is.rest, into(at, String(index))))
  return [...narrowings, ...at.compare(was.rest, is.rest, into(at, '*'))]
}

/**
 * Draft 7 defines the first items in `items` and the rest in `additionalItems`; 2020-12 uses `prefixItems` and `items`.
 */
function readItems({ items, prefixItems, additionalItems }: SchemaObject) {
  const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : []
  const rest = Array.isArray(items) ? additionalItems : items
  return { first: first.map(toSchema), rest: toSchema(rest) }
}

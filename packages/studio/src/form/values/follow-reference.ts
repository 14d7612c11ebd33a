import type { JsonSchema } from '../../api/json-schema.ts'

/** A schema may refer to one that refers on; what goes round in a circle says nothing. */
const mostHops = 8

/**
 * Returns the schema that is meant: where its `$ref` leads, else itself. What leads nowhere allows anything.
 *
 * @param given - The schema; `true` and `false` allow anything here.
 * @param root - Where its `$ref`s begin.
 */
export function followReference(given: unknown, root: JsonSchema): JsonSchema {
  let at = given
  for (let hop = 0; hop < mostHops; hop++) {
    if (!isSchema(at)) return {}
    const reference = at['$ref']
    if (typeof reference !== 'string' || !reference.startsWith('#')) return at
    at = find(reference, root)
  }
  return {}
}

/**
 * Returns whether something is a schema with keywords, not `true` or `false`.
 *
 * @param schema - Whatever stands where a schema may.
 */
export function isSchema(schema: unknown): schema is JsonSchema {
  return typeof schema === 'object' && schema !== null && !Array.isArray(schema)
}

function find(reference: string, root: JsonSchema): unknown {
  return reference
    .slice(1)
    .split('/')
    .filter(Boolean)
    .reduce<unknown>((at, part) => {
      const name = decode(part)
      return typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? Reflect.get(at, name) : undefined
    }, root)
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    // A lone % is one.
    return part
  }
}

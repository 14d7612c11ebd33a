import { isObject } from './rule.ts'

/**
 * Copies a JSON Schema to plain data: symbols, marks of a library (`~kind`) and values JSON does not know are left
 * out. The copy may be changed and frozen, the user's own schema may not.
 *
 * @param schema - The schema, without fault.
 */
export function toPlainSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toPlainSchema)
  if (!isObject(schema)) return schema
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(schema)) {
    const value = schema[key]
    if (value === undefined || typeof value === 'function' || key.startsWith('~')) continue
    Object.defineProperty(copy, key, {
      value: toPlainSchema(value),
      writable: true,
      enumerable: true,
      configurable: true,
    })
  }
  return copy
}

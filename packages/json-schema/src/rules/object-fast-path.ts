import { isObject } from '@trestle/protocol'
import type { Rule, SchemaContext } from './rule.ts'

const fused: ReadonlySet<string> = new Set(['type', 'properties', 'required', 'additionalProperties'])

/**
 * Checks common objects in one pass over their keys instead of one pass per keyword.
 *
 * @returns The rule; `undefined` if the schema has keywords other than a list of properties.
 */
export function compileObjectFastPath({ schema, compile }: SchemaContext): Rule['accepts'] | undefined {
  const { type, properties, required = [], additionalProperties } = schema
  const isClosed = additionalProperties === false
  const isPlain = isClosed || additionalProperties === undefined || additionalProperties === true
  if (type !== 'object' || !isObject(properties) || !isPlain || !Array.isArray(required)) return undefined
  const asks = Object.keys(schema).some((keyword) => !fused.has(keyword) && keyword !== '$schema')
  if (asks) return undefined
  const rules = new Map(Object.keys(properties).map((key) => [key, compile('properties', key).accepts]))
  const keys: readonly string[] = required
  return (value) => {
    if (!isObject(value)) return false
    for (const key of keys) if (!Object.hasOwn(value, key)) return false
    // Inherited keys, which this loop also visits, are ignored.
    for (const key in value) {
      const accepts = rules.get(key)
      const isFine = accepts ? accepts(value[key]) : !isClosed
      if (!isFine && Object.hasOwn(value, key)) return false
    }
    return true
  }
}

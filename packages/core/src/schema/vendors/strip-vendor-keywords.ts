import { mapSubschemas } from '@trestle/json-schema'
import { isObject } from '@trestle/protocol'

const formatsWithPattern: ReadonlySet<unknown> = new Set([
  ...['email', 'uuid', 'date-time', 'date', 'time', 'duration', 'ipv4', 'ipv6', 'uri'],
])

/**
 * Removes keywords that only one library adds to its JSON Schema: patterns that repeat a format, the bounds of safe
 * integers, and unrestricted additional properties.
 */
export function stripVendorKeywords(schema: unknown): unknown {
  if (!isObject(schema)) return schema
  const entries = Object.entries(schema).filter(([keyword, value]) => {
    if (keyword === 'pattern') return !formatsWithPattern.has(schema['format'])
    if (keyword === 'minimum') return value !== Number.MIN_SAFE_INTEGER
    if (keyword === 'maximum') return value !== Number.MAX_SAFE_INTEGER
    if (keyword === 'additionalProperties') return value !== true && !(isObject(value) && isEmpty(value))
    return true
  })
  return mapSubschemas(Object.fromEntries(entries), stripVendorKeywords)
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0
}

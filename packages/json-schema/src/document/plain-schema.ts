import { isObject, schemaDataKeywords, schemaMapKeywords } from '@trestle/protocol'

/** Kinds of object keys: keywords, user-defined names of schemas, or data at any depth. */
type Keys = 'keywords' | 'names' | 'data'

const below: ReadonlyMap<string, Keys> = new Map<string, Keys>([
  ...list('names', [...schemaMapKeywords, 'dependentRequired']),
  ...list('data', [...schemaDataKeywords, 'example']),
])

/**
 * Copies a JSON Schema to plain data, without symbols, library markers (`~kind`) and values that JSON cannot represent.
 * The copy may be modified and frozen; the user's schema must not be.
 */
export function toPlainSchema(schema: unknown): unknown {
  return copy(schema, 'keywords')
}

function copy(value: unknown, keys: Keys): unknown {
  if (Array.isArray(value)) return value.map((item) => copy(item, keys))
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(
    ([key, item]) => item !== undefined && typeof item !== 'function' && !(keys === 'keywords' && key.startsWith('~')),
  )
  // Unlike assignments, this defines own properties, even for a key named `__proto__`.
  return Object.fromEntries(kept.map(([key, item]) => [key, copy(item, toInner(key, keys))]))
}

function toInner(key: string, keys: Keys): Keys {
  if (keys === 'keywords') return below.get(key) ?? 'keywords'
  return keys === 'names' ? 'keywords' : 'data'
}

function list(keys: Keys, keywords: readonly string[]): [string, Keys][] {
  return keywords.map((keyword) => [keyword, keys])
}

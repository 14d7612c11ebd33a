import { isObject, type JsonObject, schemaDataKeywords, schemaMapKeywords, setOwn } from '@trestle/protocol'

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
  const copied: JsonObject = {}
  for (const key of Object.keys(value)) {
    const item = value[key]
    if (item === undefined || typeof item === 'function' || (keys === 'keywords' && key.startsWith('~'))) continue
    setOwn(copied, key, copy(item, toInner(key, keys)))
  }
  return copied
}

function toInner(key: string, keys: Keys): Keys {
  if (keys === 'keywords') return below.get(key) ?? 'keywords'
  return keys === 'names' ? 'keywords' : 'data'
}

function list(keys: Keys, keywords: readonly string[]): [string, Keys][] {
  return keywords.map((keyword) => [keyword, keys])
}

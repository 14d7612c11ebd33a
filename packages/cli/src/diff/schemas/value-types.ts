import type { SchemaObject } from './schema-pair.ts'

/** The JSON types, with integers separate from other numbers. */
export type ValueType = 'null' | 'boolean' | 'integer' | 'fraction' | 'string' | 'array' | 'object'

const all: readonly ValueType[] = ['null', 'boolean', 'integer', 'fraction', 'string', 'array', 'object']

/** Returns the types of value that a schema's `type` allows, with integers and other numbers as separate types. */
export function typesOf({ type }: SchemaObject): readonly ValueType[] {
  if (type === undefined) return all
  const names = Array.isArray(type) ? type : [type]
  return all.filter((one) =>
    one === 'fraction'
      ? names.includes('number')
      : names.includes(one) || (one === 'integer' && names.includes('number')),
  )
}

import type { JsonObject } from '@trestle/protocol'
import type { Dictionary } from '../../dictionary/dictionary.ts'
import { guessType } from './resolve-schema.ts'

const emptyObject = Object.freeze({})

/**
 * Returns what makes a value of each type that the source text asks for with `typeof`, `Array.isArray` or
 * `Number.isInteger`: what stands for any value is a function, and none of these.
 *
 * @param dictionary - The literals of the source text.
 * @param toList - Makes a list.
 */
export function toTypedValues({ types }: Dictionary, toList: () => unknown): readonly (() => unknown)[] {
  const makers: Readonly<Record<string, () => unknown>> = {
    string: () => 'text',
    number: () => 1,
    boolean: () => true,
    object: () => emptyObject,
    array: toList,
  }
  return Object.entries(makers).flatMap(([type, make]) => (types.has(type) ? [make] : []))
}

/**
 * Returns the emptiest value of a type, for a place that is too deep for more.
 *
 * @param schema - The place's schema, references followed.
 */
export function emptyOf(schema: JsonObject): unknown {
  const [type] = [schema['type'] ?? guessType(schema)].flat()
  if (type === 'array') return []
  if (type === 'object') return {}
  if (type === 'string') return ''
  return type === 'number' || type === 'integer' ? 0 : null
}

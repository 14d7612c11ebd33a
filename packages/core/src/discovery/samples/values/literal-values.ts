import type { JsonObject } from '@trestle/protocol'
import { compileSchema } from '../../../schema/compile-schema.ts'
import type { CompiledSchema } from '../../../schema/compiled-schema.ts'
import type { Schema } from '../../../schema/schema-types.ts'
import { type Literal, type NearLiterals, noLiterals } from '../../text/near-literals.ts'
import { nameOf } from './place-name.ts'
import { guessType } from './resolve-schema.ts'
import type { SampleLocation } from './sample-location.ts'

/** The maximum number of items in a sample list. */
export const maxItems = 100
const none: readonly Literal[] = []

/**
 * Returns the values of a path that the source text suggests; for a list, its possible lengths.
 *
 * @param schema - The schema of the path, with references resolved.
 * @param place - The location of the value.
 */
export function toLiteralValues(schema: JsonObject, { literals, path, counts }: SampleLocation): readonly Literal[] {
  if (literals === noLiterals || schema['enum'] || schema['oneOf'] || schema['anyOf']) return none
  if (Object.hasOwn(schema, 'const')) return none
  return [schema['type'] ?? guessType(schema)].flat().flatMap((type) => {
    if (type === 'unknown') return valuesAt(literals, path)
    if (type === 'array') {
      const [low, high] = [Number(schema['minItems'] ?? 0), Number(schema['maxItems'] ?? maxItems)]
      return lengthsAt(literals, path).filter((count) => count >= low && count <= high && !counts.includes(count))
    }
    if (type === 'string') {
      const own = valuesAt(literals, path).filter((value) => typeof value === 'string')
      const long = lengthsAt(literals, path).map((length) => nameOf(path).slice(0, length).padEnd(length, 'x'))
      return keep([...own, ...long], schema)
    }
    return type === 'number' || type === 'integer' ? keep(numbersAt(literals, path), { ...schema, type }) : none
  })
}

/** Removes values that a schema does not allow. */
function keep(values: readonly Literal[], schema: JsonObject): readonly Literal[] {
  return values.length === 0 ? values : values.filter((value) => isAllowed(compileSchema(schema as Schema), value))
}

/** Returns whether a schema allows a value; true if this is unknown because the formats library is still loading. */
function isAllowed(schema: CompiledSchema, value: Literal): boolean {
  const verdict = schema.check(value)
  return verdict instanceof Promise || verdict.issues === undefined
}

/** Returns the values that a function compares a path with. */
export function valuesAt({ values }: NearLiterals, path: string): readonly Literal[] {
  return values.get(nameOf(path)) ?? none
}

/** Returns the numbers that a function compares a path with. */
export function numbersAt(literals: NearLiterals, path: string): readonly number[] {
  return valuesAt(literals, path).filter((value) => typeof value === 'number')
}

/** Returns the lengths that a function compares the length of a path with. */
export function lengthsAt({ lengths }: NearLiterals, path: string): readonly number[] {
  return lengths.get(nameOf(path)) ?? []
}

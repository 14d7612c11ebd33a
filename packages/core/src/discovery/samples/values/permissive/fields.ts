import type { Dictionary } from '../../../dictionary/dictionary.ts'
import {
  maxItems,
  type NumberVariant,
  toLengthVariants,
  toNumberVariants,
  toTextVariants,
} from '../literal-variants.ts'
import type { Node } from './node.ts'
import { toText } from './readable.ts'

/** So many fields that the source text looks for an object has. */
const maxSought = 8

/**
 * Returns the names of a value's own fields, as far as code that only runs is told of any: those that copies of it have;
 * where it is asked for none, one, those that are looked for, or as many as the source text compares their number with.
 *
 * @param node - The value.
 */
export function fieldsOf({ readable, dictionary, path, variationSource }: Node): readonly string[] {
  const { copied } = dictionary
  // The usual sample is told of no field; what copies have is known there by other means.
  if (readable && !dictionary.asksForFields) return []
  if (!dictionary.asksForFields) return [...copied]
  const literals = toLengthVariants(dictionary, path, { low: 0, high: maxItems })
  const sought = toTextVariants(dictionary, path).flatMap(({ isNear, value }) => (isNear ? [String(value)] : []))
  const count = sought.length > 0 ? 3 : 2
  const index = variationSource.choose(`${path}#fields`, count, { isAside: true, literals })
  const word = variationSource.isRenamed ? 'other' : 'field'
  const made = Array.from({ length: literals[index - count]?.value ?? index }, (_, at) => `${word}${at + 1}`)
  const names = index === 2 && count === 3 ? sought.slice(0, maxSought) : made
  // Ids of steps may be made of them.
  for (const name of names) variationSource.show?.(name)
  return copied.size > 0 ? [...new Set([...names, ...copied])] : names
}

/**
 * Returns what JSON makes of a value: where copies are read a number around each that it is held against, else a text.
 *
 * @param node - The value.
 */
export function toJsonLeaf(node: Node): unknown {
  const { variationSource, dictionary, path } = node
  const literals = dictionary.copied.size > 0 ? toLimits(dictionary, path) : []
  const index = literals.length > 0 ? variationSource.choose(`${path}#copied`, 1, { literals }) : 0
  return literals[index - 1]?.value ?? toText(node)
}

/** The numbers around those that a value is ordered by: no comparison asks a copy for them. */
function toLimits(dictionary: Dictionary, path: string): readonly NumberVariant[] {
  return toNumberVariants(dictionary, path).filter(({ isNear, isOrdered }) => isNear && isOrdered)
}

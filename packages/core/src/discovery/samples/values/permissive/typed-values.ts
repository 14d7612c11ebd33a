import type { Dictionary } from '../../../dictionary/dictionary.ts'

/** A value of a plain type, or a list. */
export type RawValue = 'array' | { readonly value: unknown }

const byType: Readonly<Record<string, RawValue>> = {
  string: { value: 'text' },
  number: { value: 1 },
  boolean: { value: true },
  object: { value: Object.freeze({}) },
  array: 'array',
}

/**
 * Returns a value of each type that the source text asks for with `typeof` or `Array.isArray`: what stands for any
 * value is a function, and none of these.
 *
 * @param dictionary - The literals of the source text.
 */
export function toTypedValues({ types }: Dictionary): readonly RawValue[] {
  return Object.entries(byType).flatMap(([type, value]) => (types.has(type) ? [value] : []))
}

import type { Dictionary } from '../../dictionary/dictionary.ts'

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

import { yearAhead } from '../../patterns/date-forms.ts'
import { toNumberVariants } from '../literal-variants.ts'
import type { Node } from './node.ts'
import { toText } from './readable.ts'

/** Great for a sum, and soon counted to: no limit ends a loop that reads nothing. */
const great = 10_000

/**
 * Returns what stands for anything as a text or a number: as text `1`, as a number in a comparison each of 1, a large one
 * and 0: dates, JSON and arithmetic then work.
 *
 * @param node - The value.
 * @param hint - What is asked for, as `Symbol.toPrimitive` is told.
 */
export function toPrimitive(node: Node, hint: string): string | number {
  const path = `${node.path}#${hint === 'string' ? 'text' : 'number'}`
  node.variationSource.touch(path)
  const sum = hint === 'default' ? toGreat(node, path) : undefined
  if (sum !== undefined) return sum
  // A date and a sum of texts ask for either: what is shown is a text then, but for what was found as a great sum.
  if (hint === 'string' || (node.readable && hint === 'default')) {
    const text = toText(node)
    node.variationSource.show?.(text)
    return text
  }
  if (hint !== 'number') return 1
  const literals = toNumberVariants(node.dictionary, path)
  const index = node.variationSource.choose(path, 3, { literals })
  return literals[index - 3]?.value ?? [1, 1e6, 0][index] ?? 1
}

/** What a sum or a date is made of where they are compared with something greater. Of a text no sum is made. */
function toGreat({ variationSource, dictionary }: Node, path: string): number | string | undefined {
  if (dictionary.ordered.size === 0 || variationSource.choose(`${path}#sum`, 2, { isAside: true }) === 0)
    return undefined
  return dictionary.readsDates ? `${yearAhead()}-01-01T12:00:00.000Z` : great
}

import type { Node } from './node.ts'
import { toText } from './readable.ts'

/**
 * Returns a value as a text or a number: as a number in a comparison 1, a large one or 0. Dates, JSON and arithmetic then
 * work.
 *
 * @param node - The value.
 * @param hint - What is asked for, as `Symbol.toPrimitive` receives it.
 */
export function toPrimitive(node: Node, hint: string): string | number {
  const path = `${node.path}#${hint === 'string' ? 'text' : 'number'}`
  node.variationSource.touch(path)
  // A date and a sum of texts ask for either.
  if (hint === 'string' || (node.readable && hint === 'default')) return toText(node)
  return hint === 'number' ? ([1, 1e6, 0][node.variationSource.choose(path, 3)] ?? 1) : 1
}

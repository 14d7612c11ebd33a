import type { Liquid, LiquidOptions } from 'liquidjs'
import { boundFilters } from './bound-filters.ts'
import { boundRanges } from './bound-ranges.ts'
import { templateFilters } from './template-filters.ts'
import { indexPositions } from './token-positions.ts'

// These tags read files.
const removedTags = ['include', 'render', 'layout', 'block']
// These filters run a template per item within one step, or return an unawaited promise, and so evade the limits.
const removedFilters = /_exp$|sha256$/

/**
 * Creates an engine without access to files, whose templates read only own properties and cannot use unknown filters.
 * It has the filters of {@link templateFilters}, and limits apply to every filter.
 *
 * @param library - Any build of `liquidjs`.
 * @param options - Options of the engine, such as limits.
 * @example
 * createLiquid(await import('liquidjs'), { memoryLimit: 1_000_000 })
 */
export function createLiquid(
  library: Pick<typeof import('liquidjs'), 'Liquid' | 'evalTokenValue' | 'Token' | 'Tokenizer' | 'TokenKind'>,
  options: LiquidOptions = {},
): Liquid {
  boundRanges(library)
  indexPositions(library)
  const liquid = new library.Liquid({ ...options, ownPropertyOnly: true, strictFilters: true, templates: {} })
  for (const name of removedTags) delete liquid.tags[name]
  for (const name of Object.keys(liquid.filters)) if (removedFilters.test(name)) delete liquid.filters[name]
  for (const [name, filter] of Object.entries(templateFilters)) liquid.registerFilter(name, filter as never)
  boundFilters(liquid)
  return liquid
}

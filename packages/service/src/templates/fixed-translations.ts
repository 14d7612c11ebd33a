import { findTranslations } from '@trestle/templates/liquid'
import type { Output } from 'liquidjs'

type Arguments = Parameters<typeof findTranslations>

/**
 * Finds the outputs of a template that print a translation, with their keys.
 *
 * @throws {Error} A translation is not printed directly, or its key is computed.
 */
export function findFixedTranslations(
  template: Arguments[0],
  engine: Arguments[1],
): ReadonlyMap<Output, readonly string[]> {
  const { outputs, others } = findTranslations(template, engine)
  const [other] = others
  if (other) throw new Error(`a translation must be written as {{ t.key }}, line:${other.row}, col:${other.col}`)
  return new Map(
    [...outputs].map(([output, keys]) => {
      if (!keys) throw new Error('the key of a translation must be written in the template, as in {{ t.key }}')
      return [output, keys]
    }),
  )
}

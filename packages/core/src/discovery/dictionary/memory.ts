import type { Dictionary } from './dictionary.ts'

const maxKept = 500
const keptOf = new WeakMap<Dictionary, Map<string, unknown>>()

/**
 * Keeps what is made for a name of a source text, since a place is read in every run.
 *
 * @param dictionary - The literals of the source text.
 * @param key - The name, and what kind of values is made for it: what is made of a kind has one type.
 * @param make - Makes them.
 */
export function memoize<TMade>(
  dictionary: Dictionary,
  { kind, name }: { readonly kind: string; readonly name: string },
  make: (name: string) => TMade,
): TMade {
  const kept = keptOf.get(dictionary) ?? new Map<string, unknown>()
  keptOf.set(dictionary, kept)
  // What is held against the clock is past soon, and a preview shows it long after it was discovered.
  const minute = dictionary.clocks.size > 0 ? Math.floor(Date.now() / 60_000) : 0
  const key = `${minute} ${kind} ${name}`
  const known = kept.get(key)
  if (known !== undefined) return known as TMade
  const made = make(name)
  if (kept.size >= maxKept) kept.clear()
  kept.set(key, made)
  return made
}

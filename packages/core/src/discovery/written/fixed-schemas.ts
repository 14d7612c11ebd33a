import type { Token } from '../dictionary/tokens/scan-tokens.ts'

const options: ReadonlySet<string> = new Set(['controlSchema', 'outputSchema'])
const constants: ReadonlySet<string> = new Set(['true', 'false', 'null'])
const opening: ReadonlySet<string> = new Set(['(', '[', '{'])
const closing: ReadonlySet<string> = new Set([')', ']', '}'])
const plain: ReadonlySet<string> = new Set([...opening, ...closing, '.', ',', ':', '-'])

/**
 * Returns whether the schemas that are written in a function say the same in every run: they are made of literals and of one
 * name alone, such as `z`, with which nothing is done in the function but to ask it for its fields. In doubt they may not.
 *
 * @param tokens - The text of the function.
 */
export function hasFixedSchemas(tokens: readonly Token[]): boolean {
  return tokens.every(({ type, value }, index) => {
    if (type !== 'name' || !options.has(value)) return true
    // A field of that name elsewhere, or a variable.
    return tokens[index + 1]?.value === ':' && isFixed(tokens, index + 2)
  })
}

function isFixed(tokens: readonly Token[], start: number): boolean {
  const roots = new Set<string>()
  let depth = 0
  for (let index = start; index < tokens.length; index++) {
    const { type, value, template, isHead } = tokens[index] as Token
    if (depth === 0 && type === 'mark' && (value === ',' || closing.has(value))) return hasOneRoot(tokens, roots)
    if (template !== undefined || isHead || (type === 'mark' && !plain.has(value))) return false
    // The dots of `...shared` are none of a field.
    if (value === '.' && tokens[index + 1]?.value === '.') return false
    if (type === 'mark' && opening.has(value)) depth++
    if (type === 'mark' && closing.has(value)) depth--
    if (type === 'name' && isRoot(tokens, index) && !constants.has(value)) roots.add(value)
  }
  return false
}

/** A name of its own: no field, and no key. */
function isRoot(tokens: readonly Token[], index: number): boolean {
  return tokens[index - 1]?.value !== '.' && tokens[index + 1]?.value !== ':'
}

/** Whoever declares a name, hands it on or sets it has something else than a dot behind it. */
function hasOneRoot(tokens: readonly Token[], roots: ReadonlySet<string>): boolean {
  if (roots.size > 1) return false
  return tokens.every(
    ({ type, value }, index) =>
      type !== 'name' || !roots.has(value) || !isRoot(tokens, index) || tokens[index + 1]?.value === '.',
  )
}

import type { Token } from './tokens/scan-tokens.ts'
import { isStepId } from './tokens/token-place.ts'

/**
 * Returns the parameters with which nothing is done but to call steps whose ids are written: the ids in the text are all
 * that the steps of such a parameter can have.
 *
 * @param tokens - The whole source text.
 */
export function toClosedObjects(tokens: readonly Token[]): ReadonlySet<string> {
  const body = findBody(tokens)
  const used = new Set<string>()
  for (const [index, { type, value }] of tokens.entries())
    if (type === 'name' && index > body && !isField(tokens, index) && !isStepCall(tokens, index)) used.add(value)
  if (used.has('arguments')) return new Set()
  const parameters = tokens.slice(0, Math.max(body, 0)).filter(({ type, value }) => type === 'name' && !used.has(value))
  return new Set(parameters.map(({ value }) => value))
}

/** Where the parameters end: at `=>`, or at the brace of a function. */
function findBody(tokens: readonly Token[]): number {
  return tokens.findIndex(({ value }, index) => value === '=>' || (value === '{' && tokens[index - 1]?.value === ')'))
}

/** As in `payload.step`; the dots of `...step` are none of a field. */
function isField(tokens: readonly Token[], index: number): boolean {
  const [dot, before] = [tokens[index - 1]?.value, tokens[index - 2]?.value]
  return dot === '?.' || (dot === '.' && before !== '.')
}

/** `step.email('id',` */
function isStepCall(tokens: readonly Token[], index: number): boolean {
  const [dot, id, end] = [tokens[index + 1]?.value, tokens[index + 4], tokens[index + 5]?.value]
  return (dot === '.' || dot === '?.') && id?.type === 'text' && isStepId(tokens, index + 4) && end === ','
}

import { isDot, toBegin, toEnd, toParts } from './brackets.ts'
import type { Token } from './scan-tokens.ts'

/** The names through which a function accesses its steps. */
export interface StepNames {
  /** Names of the object that contains the steps. */
  readonly steps: Set<string>
  /** Names of the function's argument, which has the field `step`. */
  readonly contexts: Set<string>
  /** Indexes of tokens that only declare such a name. */
  readonly declared: Set<number>
  /** The start of the parameters. */
  readonly start: number
  /** Whether the names are known to be complete. */
  isClosed: boolean
}

/**
 * Finds the names through which a function accesses its steps: `step`, `s` of `{ step: s }`, `context.step`.
 *
 * @param tokens - The tokens of the function.
 */
export function toStepNames(tokens: readonly Token[]): StepNames {
  const open = findParameters(tokens)
  const hasBrackets = tokens[open]?.value === '('
  const end = hasBrackets ? toEnd(tokens, open) : open
  const first = hasBrackets ? open + 1 : open
  const names: StepNames = {
    steps: new Set(),
    contexts: new Set(),
    declared: new Set(),
    start: first,
    isClosed: open >= 0 && end < tokens.length,
  }
  if (first < (hasBrackets ? end : end + 1)) declare(tokens, first, names)
  addLater(tokens, names)
  return names
}

/**
 * Returns the index of the parameters' opening parenthesis, or of a single parameter without one; -1 if the text is not
 * a function.
 */
function findParameters(tokens: readonly Token[]): number {
  const at = tokens[0]?.value === 'async' && tokens[1]?.value !== '=>' ? 1 : 0
  const [first, second] = [tokens[at], tokens[at + 1]]
  if (first?.type === 'name' && second?.value === '=>') return at
  for (let index = at; index < Math.min(tokens.length, at + 8); index++) {
    const { value } = tokens[index] as Token
    if (value === '(') return index
    // The name of a method may be an expression.
    if (value === '[') index = toEnd(tokens, index)
  }
  return -1
}

/** Adds the names declared by a parameter or variable: for the argument, or for its fields. */
function declare(tokens: readonly Token[], index: number, names: StepNames): void {
  const token = tokens[index]
  if (token?.type === 'name') {
    names.contexts.add(token.value)
    names.declared.add(index)
  } else if (token?.value === '{') declareFields(tokens, index, names)
  else names.isClosed = false
}

function declareFields(tokens: readonly Token[], open: number, names: StepNames): void {
  let hasStep = false
  for (const start of toParts(tokens, open)) {
    const [key, next, target] = tokens.slice(start, start + 3)
    if (key?.value === '.') {
      // The rest object contains the steps, unless they were destructured before.
      if (!hasStep) declare(tokens, start + 3, names)
    } else if (key?.value === '[') names.isClosed = false
    else if (key?.value === 'step') {
      hasStep = true
      const isRenamed = next?.value === ':'
      const name = isRenamed ? target : key
      if (name?.type !== 'name' || key.type === 'number') names.isClosed = false
      else {
        names.steps.add(name.value)
        names.declared.add(isRenamed ? start + 2 : start)
      }
    }
  }
}

/** Adds the names of `const { step } = context`. */
function addLater(tokens: readonly Token[], names: StepNames): void {
  for (let round = 0; round < 3; round++)
    for (const [index, { type, value }] of tokens.entries()) {
      if (type !== 'name' || !names.contexts.has(value) || names.declared.has(index) || isDot(tokens, index - 1))
        continue
      if (tokens[index - 1]?.value !== '=' || tokens[index - 2]?.value !== '}') continue
      if (['(', '[', '.', '?.'].includes(tokens[index + 1]?.value ?? '')) continue
      const open = toBegin(tokens, index - 2)
      if (!['const', 'let', 'var'].includes(tokens[open - 1]?.value ?? '')) continue
      names.declared.add(index)
      declareFields(tokens, open, names)
    }
}

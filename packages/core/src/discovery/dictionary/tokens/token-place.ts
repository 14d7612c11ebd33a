import type { Token } from './scan-tokens.ts'

/** The signs for being the same, or not. */
export const sames: ReadonlySet<string> = new Set(['===', '!==', '==', '!='])
const stepNames: ReadonlySet<string> = new Set([
  ...['email', 'sms', 'push', 'chat', 'inApp', 'tool', 'digest', 'delay', 'throttle', 'custom', 'httpRequest'],
])

/**
 * Returns how much room a token takes of that which is searched around another: none where it only leads deeper into data, as
 * `.order.at` of `payload.data.order.at` does.
 *
 * @param tokens - The source text.
 * @param index - Which token.
 */
export function roomOf(tokens: readonly Token[], index: number): 0 | 1 {
  const dot = isDot(tokens[index]) ? index : index - 1
  return isDot(tokens[dot]) && tokens[dot - 1]?.type === 'name' && isDot(tokens[dot - 2]) ? 0 : 1
}

function isDot(token: Token | undefined): boolean {
  return token?.type === 'mark' && (token.value === '.' || token.value === '?.')
}

/**
 * Returns whether a number says which item of a list is meant: `lines[2]`, `lines?.[2]`.
 *
 * @param tokens - The source text.
 * @param index - Which token.
 */
export function isItemIndex(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 2]
  const isRead = before?.type === 'name' || /^(?:\]|\)|\?\.)$/.test(before?.value ?? '')
  return tokens[index - 1]?.value === '[' && tokens[index + 1]?.value === ']' && isRead
}

/**
 * Returns whether every object has a name, as `constructor` and `__proto__`. It is no data: where code puts what it is given
 * under such a name, it writes into what all objects share.
 *
 * @param name - The name.
 */
export function isInherited(name: string): boolean {
  return name in Object.prototype
}

/**
 * Returns whether a token is the name of a field that an object has, as in `{ kind: 1 }`.
 *
 * @param tokens - The source text.
 * @param index - Which token.
 */
export function isKey(tokens: readonly Token[], index: number): boolean {
  const [before, after] = [tokens[index - 1], tokens[index + 1]]
  return (
    after?.type === 'mark' &&
    after.value === ':' &&
    before?.type === 'mark' &&
    (before.value === '{' || before.value === ',')
  )
}

/**
 * Returns whether a text is the name of a property that is read, as in `payload['kind']`.
 *
 * @param tokens - The source text.
 * @param index - Which token.
 */
export function isPropertyName(tokens: readonly Token[], index: number): boolean {
  const [before, bracket, text, after] = tokens.slice(Math.max(index - 2, 0), index + 2)
  const isRead = before?.type === 'name' || before?.value === ')' || before?.value === ']'
  return isRead && bracket?.value === '[' && bracket.type === 'mark' && text?.type === 'text' && after?.value === ']'
}

/**
 * Returns whether a bracket looks a value up in a table of the source text, as in `texts[payload.kind]`.
 *
 * @param tokens - The source text.
 * @param index - Which token.
 */
export function isLookUp(tokens: readonly Token[], index: number): boolean {
  const [before, bracket, after] = [tokens[index - 1], tokens[index], tokens[index + 1]]
  const isTable = before?.type === 'name' || before?.value === ')' || before?.value === '}'
  return bracket?.type === 'mark' && bracket.value === '[' && isTable && after?.type === 'name'
}

/**
 * Returns whether it is asked whether a table of the source text has a key, as in `payload.kind in texts`.
 *
 * @param tokens - The source text.
 * @param index - Which token.
 */
export function isKeyTest(tokens: readonly Token[], index: number): boolean {
  const { type, value = '' } = tokens[index] ?? {}
  return (
    type === 'name' && ((value === 'in' && tokens[index - 1]?.type === 'name') || /^hasOwn(Property)?$/.test(value))
  )
}

/**
 * Returns whether a text is the id of a step, as in `step.sms('id')`.
 *
 * @param tokens - The source text.
 * @param index - Which token.
 */
export function isStepId(tokens: readonly Token[], index: number): boolean {
  const [bracket, called] = [tokens[index - 1], tokens[index - 2]]
  return bracket?.value === '(' && called?.type === 'name' && stepNames.has(called.value)
}

/**
 * Returns whether a number has a sign in front of it that is no subtraction.
 *
 * @param tokens - The source text.
 * @param index - Which token.
 */
export function isNegative(tokens: readonly Token[], index: number): boolean {
  const [sign, before] = [tokens[index - 1], tokens[index - 2]]
  if (sign?.type !== 'mark' || sign.value !== '-') return false
  if (!before || before.type === 'text' || before.type === 'number') return !before
  return before.type === 'name' ? before.value === 'return' || before.value === 'case' : !/^[)\]]$/.test(before.value)
}

const searches: ReadonlySet<string> = new Set(['includes', 'indexOf', 'has'])
const words: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
])
/** What they are minified to: `!0` and `!1`. */
const shortWords: ReadonlyMap<string, boolean> = new Map([
  ['0', true],
  ['1', false],
])

/**
 * Returns the word that begins at a token and stands beside a sign for being the same, as in `vip === true`, or minified
 * `vip===!0`, or is looked for, as in `flags.includes(true)` and `case true:`; `undefined` for anything else. Where `true` is a default, as in
 * `payload.notify ?? true` or `{ notify = true }`, it is the other word that decides, and so it is for `flags.every(Boolean)`.
 *
 * @param tokens - The source text.
 * @param index - Which token.
 */
export function toComparedWord(tokens: readonly Token[], index: number): boolean | null | undefined {
  const [before, token, after] = [tokens[index - 1], tokens[index], tokens[index + 1]]
  const isShort = token?.type === 'mark' && token.value === '!' && after?.type === 'number'
  const next = isShort ? tokens[index + 2] : after
  const isSought = before?.value === '(' && searches.has(tokens[index - 2]?.value ?? '')
  const isCase = before?.type === 'name' && before.value === 'case'
  const isSame = isSought || isCase || [before, next].some((sign) => sign?.type === 'mark' && sames.has(sign.value))
  const isDefault = before?.value === '??' || (before?.value === '=' && /^[,})]$/.test(next?.value ?? ''))
  if (token?.value === 'Boolean' && before?.value === '(' && next?.value === ')') return false
  if (!isSame && !isDefault) return undefined
  const shown = isShort ? shortWords.get(after.value) : token?.type === 'name' ? words.get(token.value) : undefined
  if (isSame) return before?.value === '.' ? undefined : shown
  return shown === true ? false : undefined
}

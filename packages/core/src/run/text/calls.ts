import { isDot, toEnd } from '../../discovery/text/brackets.ts'
import type { Token } from '../../discovery/text/scan-tokens.ts'

/** Keywords that can precede a parenthesis without being a call. */
const keywords: ReadonlySet<string> = new Set(
  'if for while switch catch return await typeof of in do else void case throw delete instanceof'.split(' '),
)
/** Built-in functions that do not start work that could fail later. */
export const functions: ReadonlySet<string> = new Set(
  'Number String Boolean BigInt parseInt parseFloat isNaN encodeURIComponent Date Set Map URL Error Intl'.split(' '),
)
/** Built-in objects whose methods do no I/O. */
export const libraries: ReadonlySet<string> = new Set(['Math', 'JSON', 'Number', 'String', 'Date', 'Intl'])
/** Methods of strings, numbers, dates and lists whose names are unlikely to be used for other methods. */
export const methods: ReadonlySet<string> = new Set(
  `toFixed toString toUpperCase toLowerCase toISOString toLocaleString toLocaleDateString toLocaleTimeString getTime
  getFullYear getMonth getDate getDay getHours getMinutes trim split padStart padEnd startsWith endsWith includes indexOf
  slice substring charAt`.split(/\s+/),
)
/** Those of these methods that call their arguments. */
export const callers: ReadonlySet<string> = new Set([
  'map',
  'filter',
  'some',
  'every',
  'reduce',
  'flatMap',
  'sort',
  'toSorted',
])

/**
 * Returns whether a value ends with a token, so that a following parenthesis calls it: `of` in `lib.of(` is not a
 * keyword.
 */
export function endsValue(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index]
  if (!token) return false
  const { type, value } = token
  if (type === 'name') return !keywords.has(value) || isDot(tokens, index - 1)
  return type !== 'mark' || [')', ']', '}', '?.', '``'].includes(value)
}

/** Returns the object of a method call as written: `step`, `context.step`; `''` if it is not a name. */
export function toOwner(tokens: readonly Token[], callee: number): string | undefined {
  const names: string[] = []
  let at = callee
  for (; isDot(tokens, at - 1); at -= 2) {
    const owner = tokens[at - 2]
    if (owner?.type !== 'name') return ''
    names.unshift(owner.value)
  }
  return at === callee ? undefined : names.join('.')
}

/** Returns whether an arrow function starts at a token. */
export function isArrow(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at]
  if (token?.type === 'name') return tokens[at + 1]?.value === '=>'
  return token?.value === '(' && tokens[toEnd(tokens, at) + 1]?.value === '=>'
}

import { isDot, toEnd } from '../../discovery/text/brackets.ts'
import type { Token } from '../../discovery/text/scan-tokens.ts'

/** In front of a bracket these call nothing. */
const keywords: ReadonlySet<string> = new Set(
  'if for while switch catch return await typeof of in do else void case throw delete instanceof'.split(' '),
)
/** Functions of the language that begin no work that could fail later. */
export const functions: ReadonlySet<string> = new Set(
  'Number String Boolean BigInt parseInt parseFloat isNaN encodeURIComponent Date Set Map URL Error Intl'.split(' '),
)
/** Objects of the language whose methods do no I/O. */
export const libraries: ReadonlySet<string> = new Set(['Math', 'JSON', 'Number', 'String', 'Date', 'Intl'])
/** Methods of texts, numbers, dates and lists that others hardly have. */
export const methods: ReadonlySet<string> = new Set(
  `toFixed toString toUpperCase toLowerCase toISOString toLocaleString toLocaleDateString toLocaleTimeString getTime
  getFullYear getMonth getDate getDay getHours getMinutes trim split padStart padEnd startsWith endsWith includes indexOf
  slice substring charAt`.split(/\s+/),
)
/** The same, which call what they are given. */
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

/** Whether a value ends with a token, so that a bracket behind it calls it: `of` of `lib.of(` is no keyword. */
export function endsValue(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index]
  if (!token) return false
  const { type, value } = token
  if (type === 'name') return !keywords.has(value) || isDot(tokens, index - 1)
  return type !== 'mark' || [')', ']', '}', '?.', '``'].includes(value)
}

/** What a method is called on, as it is written: `step`, `context.step`; `''` where that is no name. */
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

/** Whether an arrow function begins at a token. */
export function isArrow(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at]
  if (token?.type === 'name') return tokens[at + 1]?.value === '=>'
  return token?.value === '(' && tokens[toEnd(tokens, at) + 1]?.value === '=>'
}

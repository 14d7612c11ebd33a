import { beginnings } from './tokens/aliases.ts'
import type { Token } from './tokens/scan-tokens.ts'
import { isInherited } from './tokens/token-place.ts'

const maxFields = 12
/** So many copies are looked at: in front of each may be many brackets. */
const maxCopies = 20
/** Room for the fields in front of a spread. */
const maxBefore = 60
/** Room for what stands behind a pattern within another, and for further parameters. */
const maxBehind = 20
/** With what a spread and the rest of a pattern are compiled to. */
const copier =
  /^(?:assign|structuredClone|fromEntries|_+(?:rest|assign|extends|object_?(?:spread|without_?properties)\w*))$/i
/** What is read of these is seldom a field of a copy: it counts only where there is room. */
const wholes: ReadonlySet<string> = new Set(['payload', 'subscriber', 'context', 'env'])
/** What is read of these is no field of a copy. */
const builtIns: ReadonlySet<string> = new Set(['step', 'Math', 'JSON', 'Object', 'Array', 'Number', 'Date', 'console'])

/**
 * Returns the fields that a source text reads of copies of its data: `plan` of `const user = { ...payload.user }` and
 * `user.plan`. Data without a schema has any field, so a copy of it takes those.
 *
 * @param tokens - The source text.
 */
export function toCopied(tokens: readonly Token[]): ReadonlySet<string> {
  const variables = new Set<string>()
  let isNamed = true
  let copies = 0
  for (let index = 0; index < tokens.length && copies < maxCopies; index++) {
    if (!isCopy(tokens, index)) continue
    copies++
    const names = toVariables(tokens, index)
    isNamed &&= names.length > 0
    for (const name of names) variables.add(name)
  }
  return copies === 0 ? variables : toFields(tokens, variables, isNamed)
}

function toFields(tokens: readonly Token[], variables: ReadonlySet<string>, isNamed: boolean): ReadonlySet<string> {
  const fields = new Set<string>()
  const others = new Set<string>()
  for (let index = 2; index < tokens.length && fields.size < maxFields; index++) {
    const { type, value } = tokens[index] as Token
    const read = isNamed ? variables : undefined
    if (type === 'name' && isReadOf(tokens, index, read))
      (wholes.has(tokens[index - 2]?.value ?? '') ? others : fields).add(value)
    if (type === 'mark' && value === '=' && isTakenApart(tokens, index, variables))
      for (const name of namesBefore(tokens, index)) fields.add(name)
  }
  return new Set([...fields, ...others].filter((name) => !isInherited(name)).slice(0, maxFields))
}

/** Whether fields are copied here: `...data` between braces, or a call such as `Object.assign(`. */
function isCopy(tokens: readonly Token[], index: number): boolean {
  if (tokens[index]?.type === 'name') return isCall(tokens, index)
  return isDots(tokens, index) && tokens[openingOf(tokens, index)]?.value === '{'
}

function isCall(tokens: readonly Token[], index: number): boolean {
  const { type, value = '' } = tokens[index] ?? {}
  return type === 'name' && tokens[index + 1]?.value === '(' && (copier.test(value) || isReadAgain(tokens, index))
}

/** `JSON.parse(JSON.stringify(`: what JSON makes of data is a text, unless it is read again. */
function isReadAgain(tokens: readonly Token[], index: number): boolean {
  return (
    tokens[index]?.value === 'stringify' && tokens[index - 3]?.value === '(' && tokens[index - 4]?.value === 'parse'
  )
}

function isDots(tokens: readonly Token[], index: number): boolean {
  const isDot = (token: Token | undefined): boolean => token?.type === 'mark' && token.value === '.'
  return isDot(tokens[index]) && isDot(tokens[index + 1]) && isDot(tokens[index + 2])
}

/** The names a copy is known by: what it is assigned to, the field it is put into, and the rest of a pattern. */
function toVariables(tokens: readonly Token[], index: number): readonly string[] {
  const isSpread = tokens[index]?.type === 'mark'
  const rest = isSpread && isPattern(tokens, index + 4) ? tokens[index + 3] : undefined
  let at = isSpread ? openingOf(tokens, index) - 1 : index - 1
  // The names and brackets of a call that makes it: `JSON.parse(JSON.stringify(`.
  while (!isSpread && /^(?:\.|\(|JSON|Object|parse)$/.test(tokens[at]?.value ?? '')) at--
  const target = /^[=:]$/.test(tokens[at]?.value ?? '') ? tokens[at - 1] : undefined
  return [rest, target].flatMap((token) => (token?.type === 'name' ? [token.value] : []))
}

/** Whether a brace ends a pattern, such as that of a parameter or one that is assigned to, and no object. */
function isPattern(tokens: readonly Token[], closing: number): boolean {
  if (tokens[closing]?.value !== '}') return false
  for (let at = closing + 1; at < closing + maxBehind; at++) {
    const [before, token, after] = tokens.slice(at - 1, at + 2)
    if (!token || token.value === ';' || (token.type === 'name' && beginnings.has(token.value))) return false
    if (/^(?:=|of)$/.test(token.value) && /^[}\]]$/.test(before?.value ?? '')) return true
    if (token.value === ')') return /^(?:=>|\{)$/.test(after?.value ?? '')
  }
  return false
}

/** Where the bracket opens that is around a token; -1 where none is near. */
function openingOf(tokens: readonly Token[], index: number): number {
  let depth = 0
  for (let at = index - 1; at >= 0 && at > index - maxBefore; at--) {
    const { type, value } = tokens[at] as Token
    if (type !== 'mark') continue
    if (/^[)\]}]$/.test(value)) depth++
    else if (/^[([{]$/.test(value) && depth-- === 0) return at
  }
  return -1
}

/** Whether a name is a field that is read, and no method, of one of the variables, or of anything that was put together. */
function isReadOf(tokens: readonly Token[], index: number, variables: ReadonlySet<string> | undefined): boolean {
  const [object, dot, name, after] = tokens.slice(index - 2, index + 2)
  // A copy has no length: that is asked of the list or the text beside it, and would vary in each item that is copied.
  if (!/^\??\.$/.test(dot?.value ?? '') || after?.value === '(' || name?.value === 'length') return false
  if (object?.type !== 'name') return /^[)\]}]$/.test(object?.value ?? '')
  return variables ? variables.has(object.value) : !builtIns.has(object.value)
}

/** Whether fields are taken out of a copy here: `const { plan } = user`, `= { ...data }`, `= structuredClone(data)`. */
function isTakenApart(tokens: readonly Token[], index: number, variables: ReadonlySet<string>): boolean {
  const [before, , after] = tokens.slice(index - 1, index + 2)
  if (before?.value !== '}') return false
  // Room for the names and brackets of `JSON.parse(JSON.stringify(`.
  const calls = Array.from({ length: 7 }, (_, at) => index + 1 + at).filter((at) => at < tokens.length)
  return after?.value === '{' || variables.has(after?.value ?? '') || calls.some((at) => isCall(tokens, at))
}

function namesBefore(tokens: readonly Token[], index: number): readonly string[] {
  const opening = openingOf(tokens, index - 1)
  if (opening < 0) return []
  return tokens.slice(opening, index).flatMap(({ type, value }) => (type === 'name' ? [value] : []))
}

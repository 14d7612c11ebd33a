import { toSide } from './partners.ts'
import { type Aliases, withAliases } from './tokens/aliases.ts'
import type { Token } from './tokens/scan-tokens.ts'
import { isPropertyName, sames } from './tokens/token-place.ts'

/** A text that is put together of data, such as `${payload.kind}:${payload.status}`. */
export interface Join {
  /** What stands in front of, between and behind the pieces: one more than there are pieces. */
  readonly fixed: readonly string[]
  /** The names that each piece is read by, the field itself in front of what it is a field of. */
  readonly pieces: readonly (readonly string[])[]
  /** The names of what the text is compared with; none where that is a literal. */
  readonly against: readonly string[]
}

interface Draft {
  readonly fixed: string[]
  readonly pieces: (readonly string[])[]
}

/** A draft, and the tokens that it was read from. */
interface Found {
  readonly draft: Draft | undefined
  readonly start: number
  readonly end: number
}

const maxJoins = 20
const maxPieces = 6
/** Room for `payload.customer.address.country.toLowerCase()`. */
const maxTokens = 16
const finders = /^(includes|startsWith|endsWith|has|indexOf|localeCompare)$/
const opening = /^[([{]$/
const closing = /^[)\]}]$/

/**
 * Finds the texts that a source text puts together of data and of its own: templates, sums with a text, and lists that are
 * joined.
 *
 * @param tokens - The source text.
 * @param aliases - What its variables stand for.
 */
export function toJoins(tokens: readonly Token[], aliases: Aliases): readonly Join[] {
  const joins: Join[] = []
  let summedUntil = -1
  for (const [index, token] of tokens.entries()) {
    if (joins.length >= maxJoins) break
    const found = token.isHead ? readTemplate(tokens, index) : readOther(tokens, index, summedUntil)
    if (token.type === 'text' && found) summedUntil = found.end
    const { fixed = [], pieces = [] } = found?.draft ?? {}
    if (!found || pieces.length === 0 || fixed.every((text) => text === '')) continue
    const withOthers = (names: readonly string[]): readonly string[] => [...withAliases(names, aliases)]
    joins.push({
      fixed,
      pieces: pieces.map((names) => withOthers(names.toReversed())),
      against: withOthers(toAgainst(tokens, found)),
    })
  }
  return joins
}

function readOther(tokens: readonly Token[], index: number, summedUntil: number): Found | undefined {
  const { type, value } = tokens[index] as Token
  if (type === 'name' && value === 'join') return readList(tokens, index)
  return type === 'text' && index > summedUntil && isSummed(tokens, index) ? readSum(tokens, index) : undefined
}

/** The names of the other side of a comparison, or of what the text is looked for in. */
function toAgainst(tokens: readonly Token[], { start, end }: Found): readonly string[] {
  const [before, bracket, after] = [tokens[start - 1], tokens[start - 2], tokens[end + 1]]
  if (before?.type === 'mark' && sames.has(before.value)) return toSide(tokens, start - 2, -1)
  if (after?.type === 'mark' && sames.has(after.value)) return toSide(tokens, end + 2, 1).toReversed()
  return before?.value === '(' && bracket?.type === 'name' && finders.test(bracket.value)
    ? toSide(tokens, start - 3, -1)
    : []
}

function readTemplate(tokens: readonly Token[], index: number): Found | undefined {
  const draft: Draft = { fixed: [tokens[index]?.template ?? ''], pieces: [] }
  let at = index + 1
  while (draft.pieces.length < maxPieces) {
    const end = findClosing(tokens, at)
    const names = end === undefined ? [] : namesOf(tokens, at, end)
    const next = end === undefined ? undefined : tokens[end + 1]
    if (end === undefined || names.length === 0 || next?.template === undefined) return undefined
    draft.pieces.push(names)
    draft.fixed.push(next.template)
    if (next.value !== '{') return { draft, start: index, end: end + 1 }
    at = end + 2
  }
  return undefined
}

/** Finds the bracket that closes what is open at a place; `undefined` where it is far. */
function findClosing(tokens: readonly Token[], from: number): number | undefined {
  let depth = 0
  for (let at = from; at < from + maxTokens; at++) {
    const { type, value } = tokens[at] ?? { type: 'name', value: '' }
    if (type !== 'mark') continue
    if (opening.test(value)) depth++
    else if (closing.test(value) && depth-- === 0) return at
  }
  return undefined
}

/** `[payload.kind, payload.status].join('.')` */
function readList(tokens: readonly Token[], index: number): Found | undefined {
  const [dot, bracket, call, separator] = [-1, -2, 1, 2].map((step) => tokens[index + step])
  if (dot?.value !== '.' || bracket?.value !== ']' || call?.value !== '(') return undefined
  const between = separator?.type === 'text' ? separator.value : ','
  const items: Token[][] = [[]]
  let depth = 0
  let at = index - 3
  for (; at > index - maxTokens * maxPieces; at--) {
    const token = tokens[at]
    if (!token) return undefined
    const isMark = token.type === 'mark'
    if (isMark && opening.test(token.value) && depth-- === 0) break
    if (isMark && closing.test(token.value)) depth++
    if (isMark && token.value === ',' && depth === 0) items.unshift([])
    else items[0]?.unshift(token)
  }
  const draft: Draft = { fixed: [''], pieces: [] }
  for (const [number, item] of items.entries()) {
    if (number > 0) addText(draft, between)
    if (!addOperand(draft, item)) return undefined
  }
  return { draft, start: at, end: index + (separator?.type === 'text' ? 3 : 2) }
}

function isSummed(tokens: readonly Token[], index: number): boolean {
  return isPlus(tokens[index - 1]) || isPlus(tokens[index + 1])
}

function isPlus(token: Token | undefined): boolean {
  return token?.type === 'mark' && token.value === '+'
}

function readSum(tokens: readonly Token[], index: number): Found {
  let start = index
  for (let count = 0; count < maxPieces && isPlus(tokens[start - 1]); count++) start = findEdge(tokens, start - 2, -1)
  const draft: Draft = { fixed: [''], pieces: [] }
  let isWhole = true
  let at = start
  for (let count = 0; count <= maxPieces * 2; count++) {
    const end = findEdge(tokens, at, 1)
    isWhole &&= addOperand(draft, tokens.slice(at, end + 1))
    if (!isPlus(tokens[end + 1])) return { draft: isWhole ? draft : undefined, start, end: Math.max(end, index) }
    at = end + 2
  }
  return { draft: undefined, start, end: Math.max(at, index) }
}

/** Returns where an operand ends that begins at a token, or begins where it ends there. */
function findEdge(tokens: readonly Token[], from: number, direction: 1 | -1): number {
  const [deeper, higher] = direction === 1 ? [opening, closing] : [closing, opening]
  let depth = 0
  let at = from
  for (; Math.abs(at - from) < maxTokens; at += direction) {
    const { type, value } = tokens[at] ?? { type: 'mark', value: ';' }
    if (type !== 'mark') continue
    if (deeper.test(value)) depth++
    else if (higher.test(value) && depth-- === 0) break
    else if (depth === 0 && !/^(\.|\?\.|[)\]}!])$/.test(value) && !opening.test(value)) break
  }
  return at - direction
}

function addOperand(draft: Draft, operand: readonly Token[]): boolean {
  const [first, ...rest] = operand
  if (rest.length === 0 && (first?.type === 'text' || first?.type === 'number')) {
    addText(draft, first.value)
    return true
  }
  const names = namesOf(operand, 0, operand.length)
  draft.pieces.push(names)
  draft.fixed.push('')
  return names.length > 0 && draft.pieces.length <= maxPieces
}

function addText({ fixed }: Draft, text: string): void {
  fixed.push(`${fixed.pop() ?? ''}${text}`)
}

function namesOf(tokens: readonly Token[], from: number, end: number): readonly string[] {
  const names: string[] = []
  for (let at = from; at < end; at++) {
    const token = tokens[at]
    if (token?.type === 'name' || isPropertyName(tokens, at)) names.push(token?.value ?? '')
  }
  return names
}

import { type CssToken, type CssTokenKind, decodeCss, readCssToken } from './css-tokens.ts'

/** An item of CSS: a declaration, an at-rule up to its `;` or block, a rule up to its block, or a comment between these. */
export interface CssItem {
  /** The kind, by its first tokens and its end. */
  readonly kind: 'declaration' | 'at-rule' | 'rule' | 'comment'
  /** Its text, without the `;` or the block that ends it. */
  readonly text: string
  /** The addresses in it, as written: `url(...)` as a whole, and the strings. */
  readonly addresses: readonly CssAddress[]
  /** Whether it contains `<!--` or `-->`, which are only valid between rules. */
  readonly hasMarks: boolean
  readonly start: number
}

/** A string or a `url(...)` of an item. */
export interface CssAddress {
  /** The text, including quotes and `url(`. */
  readonly text: string
  /** Whether it is the argument of `url`, quoted or not. */
  readonly isUrl: boolean
}

/** A range of the source. */
export interface CssRange {
  readonly start: number
  readonly end: number
}

interface OpenItem {
  readonly start: number
  readonly isAtRule: boolean
  /** Whether it is a custom property, whose value can contain blocks. */
  readonly isCustom: boolean
  readonly addresses: CssAddress[]
  hasMarks: boolean
  afterUrl: boolean
}

interface Walk {
  readonly css: string
  readonly isSheet: boolean
  readonly accepts: (item: CssItem) => boolean
  readonly refused: CssRange[]
  /** The open blocks; blocks of rejected rules also have the start of their rule. */
  readonly blocks: { readonly start: number; readonly isRefused: boolean }[]
  /** The closing brackets that the item is still missing. */
  readonly brackets: CssTokenKind[]
  refusedBlocks: number
  item: OpenItem | undefined
}

const closers: Readonly<Partial<Record<CssTokenKind, CssTokenKind>>> = {
  ...{ function: ')', '(': ')', '[': ']', '{': '}' },
}

/**
 * Parses CSS and returns the ranges to remove: rejected items, rejected rules with their blocks, and the tokens `<!--`
 * and `-->` between rules, which have no meaning. One pass, without recursion.
 *
 * @param isSheet - Whether it is a style sheet, not the declarations of a `style` attribute.
 * @source CSS Syntax Module Level 3, section 5.5, "Parser Algorithms".
 */
export function findRefused(css: string, isSheet: boolean, accepts: (item: CssItem) => boolean): readonly CssRange[] {
  const walk: Walk = {
    ...{ css, isSheet, accepts, refused: [], blocks: [], brackets: [], refusedBlocks: 0, item: undefined },
  }
  for (let at = 0; at < css.length; ) {
    const token = readCssToken(css, at)
    at = token.end
    walk.item ??= beginItem(walk, token)
    if (walk.item) takeToken(walk, walk.item, token)
  }
  endItem(walk, css.length, css.length)
  while (walk.blocks.length > 0) endBlock(walk, css.length)
  return walk.refused
}

/** Opens an item, unless the token only separates items or closes the enclosing block. */
function beginItem(walk: Walk, { kind, start, end }: CssToken): OpenItem | undefined {
  const isTop = walk.blocks.length === 0
  if (kind === 'comment') takeComment(walk, start, end)
  if (kind === 'space' || kind === 'comment') return undefined
  if (isTop && walk.isSheet) {
    if (kind === 'cdo' || kind === 'cdc') walk.refused.push({ start, end })
    if (kind === 'cdo' || kind === 'cdc') return undefined
  } else if (kind === ';') return undefined
  if (kind === '}' && !isTop) {
    endBlock(walk, end)
    return undefined
  }
  const isCustom = walk.css.startsWith('--', start) && !(isTop && walk.isSheet)
  return { start, isAtRule: kind === 'at', isCustom, addresses: [], hasMarks: false, afterUrl: false }
}

/**
 * Removes only the rejected comment: a client that reads comments differently could otherwise drop the whole style
 * sheet.
 */
function takeComment({ css, accepts, refused, refusedBlocks }: Walk, start: number, end: number): void {
  const comment: CssItem = { kind: 'comment', text: css.slice(start, end), addresses: [], hasMarks: false, start }
  if (refusedBlocks === 0 && !accepts(comment)) refused.push({ start, end })
}

function takeToken(walk: Walk, item: OpenItem, token: CssToken): void {
  const { kind, start, end } = token
  noteAddress(walk.css, item, token)
  const { brackets, blocks } = walk
  const closer = closers[kind]
  const isTop = blocks.length === 0
  if (brackets.length > 0) {
    if (closer) brackets.push(closer)
    else if (kind === brackets.at(-1)) brackets.pop()
  } else if (kind === '{' && !item.isCustom) {
    const isRefused = !isAccepted(walk, item.isAtRule ? 'at-rule' : 'rule', start)
    blocks.push({ start: item.start, isRefused })
    if (isRefused) walk.refusedBlocks++
    walk.item = undefined
  } else if (closer) brackets.push(closer)
  else if (kind === ';' && (!isTop || !walk.isSheet || item.isAtRule)) endItem(walk, start, end)
  else if (kind === '}' && !isTop) {
    endItem(walk, start, start)
    endBlock(walk, end)
  }
}

function noteAddress(css: string, item: OpenItem, { kind, start, end }: CssToken): void {
  if (kind === 'cdo' || kind === 'cdc') item.hasMarks = true
  else if (kind === 'url') item.addresses.push({ text: css.slice(start, end), isUrl: true })
  else if (kind === 'string') item.addresses.push({ text: css.slice(start, end), isUrl: item.afterUrl })
  if (kind === 'function') item.afterUrl = end - start < 40 && decodeCss(css.slice(start, end)).toLowerCase() === 'url('
  else if (kind !== 'space' && kind !== 'comment') item.afterUrl = false
}

function isAccepted(walk: Walk, kind: CssItem['kind'], end: number): boolean {
  if (!walk.item || walk.refusedBlocks > 0) return true
  const { start, addresses, hasMarks } = walk.item
  return walk.accepts({ kind, text: walk.css.slice(start, end), addresses, hasMarks, start })
}

function endItem(walk: Walk, end: number, after: number): void {
  const { item } = walk
  if (item && !isAccepted(walk, item.isAtRule ? 'at-rule' : 'declaration', end))
    walk.refused.push({ start: item.start, end: after })
  walk.item = undefined
}

function endBlock(walk: Walk, end: number): void {
  const block = walk.blocks.pop()
  if (!block?.isRefused) return
  walk.refusedBlocks--
  walk.refused.push({ start: block.start, end })
}

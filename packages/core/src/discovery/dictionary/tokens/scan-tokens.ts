import { readEscape } from './escapes.ts'

/** A piece of source text. */
export interface Token {
  /** `text`, `number` and `pattern` are literals, `name` is an identifier or a keyword, `mark` everything else. */
  readonly type: 'text' | 'number' | 'pattern' | 'name' | 'mark'
  /** The value of a literal, of a regular expression without slashes and flags, else the characters. */
  readonly value: string
  /** Where an expression of a template begins, or a template ends: the template's own text in front of it. */
  readonly template?: string
  /** Whether a template begins with it. */
  readonly isHead?: boolean
}

interface Scan {
  readonly source: string
  readonly tokens: Token[]
  /** For each open template the number of braces that are open in its current expression. */
  readonly templates: number[]
  at: number
}

const maxSourceLength = 200_000
const maxTokens = 50_000
const space = /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\//y
const plainName = /[a-zA-Z$_#][\w$]*/y
// It takes a millisecond to compile, and hardly any function needs it.
const name = /[\p{ID_Start}$_#][\p{ID_Continue}$\u200c\u200d]*/uy
const number =
  /(?:0[xX][\da-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?)n?/y
const regex = /\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n]){0,500}\]|[^/\\[\n]){1,2000}\/[dgimsuvy]*/y
const mark = /===|!==|\?\.(?!\d)|&&|\|\||\?\?|=>|==|!=|<=|>=|[\s\S]/y
// After these a `/` begins a regular expression though a name or a bracket stands in front of it.
const operators: ReadonlySet<string> = new Set([
  'return',
  'typeof',
  'case',
  'in',
  'of',
  'delete',
  'void',
  'await',
  'do',
  'else',
])

/**
 * Splits the source text of a function into tokens. It is tolerant: what it does not understand is skipped, nothing is
 * evaluated, and it takes time in proportion to the text.
 *
 * @param source - As `Function.prototype.toString` returns it; beyond 200 000 characters the rest is ignored.
 */
export function scanTokens(source: string): readonly Token[] {
  const scan: Scan = { source: source.slice(0, maxSourceLength), tokens: [], templates: [], at: 0 }
  while (scan.at < scan.source.length && scan.tokens.length < maxTokens) scanOne(scan)
  return scan.tokens
}

/** Puts a regular expression in the place of `new RegExp('^ORD-', 'i')`. */
function foldPattern(tokens: Token[]): void {
  const from = tokens.length - (tokens.at(-3)?.value === ',' ? 6 : 4)
  const [made, bracket, pattern] = tokens.slice(Math.max(from, 0))
  if (made?.value !== 'RegExp' || bracket?.value !== '(' || pattern?.type !== 'text') return
  tokens.splice(tokens[from - 1]?.value === 'new' ? from - 1 : from)
  tokens.push({ type: 'pattern', value: pattern.value })
}

function take(scan: Scan, pattern: RegExp): string | undefined {
  pattern.lastIndex = scan.at
  const found = pattern.exec(scan.source)?.[0]
  if (found === undefined || found === '') return undefined
  scan.at += found.length
  return found
}

function scanOne(scan: Scan): void {
  if (take(scan, space) !== undefined) return
  const character = scan.source[scan.at] ?? ''
  if (character === "'" || character === '"') scanText(scan, character)
  else if (character === '`') scanTemplate(scan)
  else if (character === '/' && mayBeRegex(scan.tokens) && scanRegex(scan)) return
  else if (!scanName(scan) && !(/[\d.]/.test(character) && scanNumber(scan))) scanMark(scan)
}

function push(scan: Scan, type: Token['type'], value: string): true {
  scan.tokens.push({ type, value })
  return true
}

function scanRegex(scan: Scan): boolean {
  const whole = take(scan, regex)
  return whole !== undefined && push(scan, 'pattern', whole.slice(1, whole.lastIndexOf('/')))
}

function scanName(scan: Scan): boolean {
  const start = scan.at
  let value = take(scan, plainName)
  if (scan.source.charCodeAt(scan.at) > 127) {
    scan.at = start
    value = take(scan, name)
  }
  return value !== undefined && push(scan, 'name', value)
}

/** A number that is too great to be one is left out. */
function scanNumber(scan: Scan): boolean {
  const digits = take(scan, number)
  if (digits === undefined) return false
  const value = Number(digits.replace(/n$/, '').replaceAll('_', ''))
  if (Number.isFinite(value)) push(scan, 'number', String(value))
  return true
}

function scanMark(scan: Scan): void {
  const value = take(scan, mark) ?? ''
  push(scan, 'mark', value)
  if (value === ')') foldPattern(scan.tokens)
  const depth = scan.templates.length - 1
  const open = scan.templates[depth]
  if (open === undefined) return
  if (value === '{') scan.templates[depth] = open + 1
  else if (value === '}' && open > 0) scan.templates[depth] = open - 1
  else if (value === '}') {
    scan.templates.pop()
    skipTemplate(scan)
  }
}

function mayBeRegex(tokens: readonly Token[]): boolean {
  const last = tokens.at(-1)
  if (!last) return true
  if (last.type === 'name') return operators.has(last.value)
  return last.type === 'mark' && last.value !== ')' && last.value !== ']'
}

/** A text that does not end on its line is no text; only its quote is skipped. */
function scanText(scan: Scan, quote: string): void {
  const start = scan.at++
  const value = readUntil(scan, (character) => character === quote, '\n')
  if (value === undefined) scan.at = start + 1
  else {
    scan.at++
    push(scan, 'text', value)
  }
}

/** A template without expressions is a text. */
function scanTemplate(scan: Scan): void {
  const start = scan.at++
  const ends = (character: string): boolean => character === '`' || isExpression(scan, character)
  const value = readUntil(scan, ends)
  if (value === undefined) {
    scan.at = start + 1
    return
  }
  if (scan.source[scan.at] === '`') {
    scan.at++
    push(scan, 'text', value)
    return
  }
  openExpression(scan, { template: value, isHead: true })
}

/** Goes on behind an expression of a template. */
function skipTemplate(scan: Scan): void {
  const value = readUntil(scan, (character) => character === '`' || isExpression(scan, character))
  if (value === undefined) return
  if (scan.source[scan.at] === '`') {
    scan.at++
    scan.tokens.push({ type: 'mark', value: '``', template: value })
  } else openExpression(scan, { template: value })
}

function isExpression({ source, at }: Scan, character: string): boolean {
  return character === '$' && source[at + 1] === '{'
}

function openExpression(scan: Scan, place: Pick<Token, 'template' | 'isHead'>): void {
  scan.at += 2
  scan.templates.push(0)
  scan.tokens.push({ type: 'mark', value: '{', ...place })
}

function readUntil(scan: Scan, ends: (character: string) => boolean, never?: string): string | undefined {
  let value = ''
  for (; scan.at < scan.source.length; scan.at++) {
    const character = scan.source[scan.at] ?? ''
    if (ends(character)) return value
    if (character === never) return undefined
    value += character === '\\' ? takeEscape(scan) : character
  }
  return undefined
}

/** Leaves the position at the escape's last character. */
function takeEscape(scan: Scan): string {
  const { value, last } = readEscape(scan.source, scan.at)
  scan.at = last
  return value
}

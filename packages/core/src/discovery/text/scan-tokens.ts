import { readEscape } from './escapes.ts'

/** A token of source text. */
export interface Token {
  /**
   * `text`, `number` and `pattern` are literals, `name` is an identifier or a keyword, and `mark` is everything else.
   */
  readonly type: 'text' | 'number' | 'pattern' | 'name' | 'mark'
  /** The value of a literal, otherwise its characters; two backticks at the end of a template. */
  readonly value: string
  /** Whether a template starts with it. */
  readonly isHead?: boolean
}

/** The tokens of a function. */
export interface Scanned {
  readonly tokens: readonly Token[]
  /** Whether the text is unambiguous: only then are all literals found reliably. */
  readonly isExact: boolean
}

interface Scan {
  readonly source: string
  readonly tokens: Token[]
  /** For each open template, the number of open braces in its current expression. */
  readonly templates: number[]
  /**
   * For each open parenthesis, whether it belongs to a statement such as `if (`, which a regular expression can follow.
   */
  readonly parentheses: boolean[]
  at: number
  /** Whether a regular expression can follow the last closing parenthesis. */
  isAfterHead: boolean
  isExact: boolean
}

const maxSourceLength = 200_000
const maxTokens = 50_000
const space = /\s+|\/\/[^\n\r\u2028\u2029]*|\/\*[\s\S]*?\*\//y
const plainName = /[a-zA-Z$_#][\w$]*/y
// Compiled on demand, because it takes a millisecond.
let unicodeName: RegExp | undefined
const number =
  /(?:0[xX][\da-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?)n?/y
const regex = /\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n]){0,500}\]|[^/\\[\n]){1,2000}\/[dgimsuvy]*/y
const mark = /===|!==|\?\.(?!\d)|&&|\|\||\?\?|=>|==|!=|<=|>=|<!--|\+\+|--|[\s\S]/y
const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))
/** Keywords after which a slash starts a regular expression. */
const operators = words('return typeof case in delete void do else instanceof new throw')
/** Keywords that can also be names. */
const doubtful = words('of await yield')
const heads = words('if while for with')

/**
 * Splits the source text of a function into tokens. Unknown syntax is skipped, nothing is evaluated, and the time is
 * linear in the length of the text.
 *
 * @param source - The source, as returned by `Function.prototype.toString`; anything after 200,000 characters is
 * ignored.
 */
export function scanTokens(source: string): Scanned {
  const scan: Scan = {
    source: source.slice(0, maxSourceLength),
    tokens: [],
    templates: [],
    parentheses: [],
    at: 0,
    isAfterHead: false,
    isExact: source.length <= maxSourceLength,
  }
  while (scan.at < scan.source.length && scan.tokens.length < maxTokens) scanOne(scan)
  return { tokens: scan.tokens, isExact: scan.isExact && scan.at >= scan.source.length && scan.templates.length === 0 }
}

function take(scan: Scan, pattern: RegExp): string | undefined {
  pattern.lastIndex = scan.at
  const match = pattern.exec(scan.source)?.[0]
  if (match === undefined || match === '') return undefined
  scan.at += match.length
  return match
}

function scanOne(scan: Scan): void {
  if (take(scan, space) !== undefined) return
  const character = scan.source[scan.at] ?? ''
  if (character === "'" || character === '"') scanText(scan, character)
  else if (character === '`') scanTemplate(scan)
  else if (character === '/' && mayBePattern(scan) && scanPattern(scan)) return
  else if (!scanName(scan) && !(/[\d.]/.test(character) && scanNumber(scan))) scanMark(scan)
}

function push(scan: Scan, type: Token['type'], value: string): true {
  scan.tokens.push({ type, value })
  return true
}

function scanPattern(scan: Scan): boolean {
  const whole = take(scan, regex)
  if (whole === undefined) scan.isExact = false
  return whole !== undefined && push(scan, 'pattern', whole.slice(1, whole.lastIndexOf('/')))
}

function scanName(scan: Scan): boolean {
  const start = scan.at
  let value = take(scan, plainName)
  if (scan.source.charCodeAt(scan.at) > 127) {
    scan.at = start
    unicodeName ??= /[\p{ID_Start}$_#][\p{ID_Continue}$\u200c\u200d]*/uy
    value = take(scan, unicodeName)
  }
  return value !== undefined && push(scan, 'name', value)
}

function scanNumber(scan: Scan): boolean {
  const digits = take(scan, number)
  return digits !== undefined && push(scan, 'number', String(Number(digits.replace(/n$/, '').replaceAll('_', ''))))
}

function scanMark(scan: Scan): void {
  const before = scan.tokens.slice(-2).map(({ value }) => value)
  const value = take(scan, mark) ?? ''
  push(scan, 'mark', value)
  // An escape within a name, or an HTML-like comment for old browsers.
  if (value === '\\' || value === '<!--') scan.isExact = false
  if (value === '(') {
    const [word, dot] = before.at(-1) === 'await' ? [before[0], ''] : [before.at(-1), before[0]]
    scan.parentheses.push(heads.has(word ?? '') && dot !== '.' && dot !== '?.')
  } else if (value === ')') scan.isAfterHead = scan.parentheses.pop() ?? false
  const depth = scan.templates.length - 1
  const open = scan.templates[depth]
  if (open === undefined) return
  if (value === '{') scan.templates[depth] = open + 1
  else if (value === '}' && open > 0) scan.templates[depth] = open - 1
  else if (value === '}') {
    scan.templates.pop()
    continueTemplate(scan)
  }
}

/** Returns whether a slash starts a regular expression here. After a brace or a doubled sign, this is ambiguous. */
function mayBePattern(scan: Scan): boolean {
  const { tokens } = scan
  const last = tokens.at(-1)
  if (!last) return true
  if (last.type === 'name') {
    const isField = ['.', '?.'].includes(tokens.at(-2)?.value ?? '')
    if (doubtful.has(last.value) && !isField) scan.isExact = false
    return !isField && (operators.has(last.value) || doubtful.has(last.value))
  }
  if (last.type !== 'mark' || last.value === ']' || last.value === '``') return false
  if (last.value === ')') return scan.isAfterHead
  if (last.value === '}' || last.value === '++' || last.value === '--') scan.isExact = false
  return last.value !== '++' && last.value !== '--'
}

/** Reads a string. One that does not end on its line is invalid, so only its quote is skipped. */
function scanText(scan: Scan, quote: string): void {
  const start = scan.at++
  const value = readUntil(scan, (character) => character === quote, '\n')
  if (value === undefined) {
    scan.isExact = false
    scan.at = start + 1
  } else {
    scan.at++
    push(scan, 'text', value)
  }
}

/** Reads a template; one without expressions counts as a string. */
function scanTemplate(scan: Scan): void {
  const start = scan.at++
  const value = readUntil(scan, (character) => character === '`' || isExpression(scan, character))
  if (value === undefined) {
    scan.isExact = false
    scan.at = start + 1
  } else if (scan.source[scan.at] === '`') {
    scan.at++
    push(scan, 'text', value)
  } else openExpression(scan, { isHead: true })
}

function continueTemplate(scan: Scan): void {
  const value = readUntil(scan, (character) => character === '`' || isExpression(scan, character))
  if (value === undefined) scan.isExact = false
  else if (scan.source[scan.at] === '`') {
    scan.at++
    push(scan, 'mark', '``')
  } else openExpression(scan, {})
}

function isExpression({ source, at }: Scan, character: string): boolean {
  return character === '$' && source[at + 1] === '{'
}

function openExpression(scan: Scan, place: Pick<Token, 'isHead'>): void {
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
    if (character === '\\') {
      const read = readEscape(scan.source, scan.at)
      value += read.value
      scan.at = read.last
    } else value += character
  }
  return undefined
}

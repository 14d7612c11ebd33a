/** A part of a regular expression. */
export type PatternNode =
  | { readonly kind: 'characters'; readonly characters: readonly string[] }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'group'; readonly part: PatternNode; readonly index: number }
  | { readonly kind: 'either'; readonly branches: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly part: PatternNode; readonly low: number; readonly high: number }

interface Scan {
  readonly source: string
  at: number
  depth: number
  /** How many groups were read. */
  groups: number
}

const maxSource = 1000
const maxDepth = 20
/** Characters of which one or another fits most classes. */
const usual: readonly string[] = [...'a1A0xX9fF2bB-_. ,:;/@#+~!?%&$=*()\n\tzZ', 'é', '€', '漢']
const nothing: PatternNode = { kind: 'sequence', parts: [] }
const quantifier = /(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/y
const escapeCode = /x([\da-fA-F]{2})|u([\da-fA-F]{4})|u\{([\da-fA-F]+)\}|[pP]\{[^}]*\}|k<[^>]*>|c[A-Za-z]|\d+/y
const controls: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f', v: '\v' }

/**
 * Reads the source of a regular expression; `undefined` where it is too long or too deep.
 *
 * @param source - The source, without its slashes.
 */
export function parsePattern(source: string): PatternNode | undefined {
  if (source.length > maxSource) return undefined
  try {
    return parseEither({ source, at: 0, depth: 0, groups: 0 })
  } catch {
    return undefined
  }
}

function parseEither(scan: Scan): PatternNode {
  if (++scan.depth > maxDepth) throw new Error('is nested too deeply')
  const branches: PatternNode[] = []
  let parts: PatternNode[] = []
  for (; scan.at < scan.source.length && scan.source[scan.at] !== ')'; ) {
    if (scan.source[scan.at] === '|') {
      scan.at++
      branches.push({ kind: 'sequence', parts })
      parts = []
    } else parts.push(parseRepeat(scan))
  }
  scan.depth--
  const last: PatternNode = { kind: 'sequence', parts }
  return branches.length === 0 ? last : { kind: 'either', branches: [...branches, last] }
}

function parseRepeat(scan: Scan): PatternNode {
  const part = parseOne(scan)
  const found = take(scan, quantifier)
  if (!found) return part
  const [text, exact, comma, most] = found
  const low = exact === undefined ? (text[0] === '+' ? 1 : 0) : Number(exact)
  const high = exact === undefined ? (text[0] === '?' ? 1 : Infinity) : comma ? Number(most || Infinity) : low
  // What takes as little as it can takes nothing more.
  return { kind: 'repeat', part, low, high: text.length > 1 && text.endsWith('?') ? low : high }
}

function parseOne(scan: Scan): PatternNode {
  const character = scan.source[scan.at++] ?? ''
  if (character === '^' || character === '$') return nothing
  if (character === '.') return { kind: 'characters', characters: usual.filter((one) => one !== '\n') }
  if (character === '(') return parseGroup(scan)
  if (character === '[') return parseClass(scan)
  if (character === '\\') {
    const characters = readEscape(scan)
    return characters ? { kind: 'characters', characters } : nothing
  }
  return { kind: 'characters', characters: [character] }
}

function parseGroup(scan: Scan): PatternNode {
  const isLeftOut = take(scan, /\?(?:!|<[=!])/y) !== undefined
  // What must lie ahead is written in front of it, which fits more often than not.
  const isUntold = !isLeftOut && take(scan, /\?(?:=|[a-z-]*:)/y) !== undefined
  if (!isLeftOut) take(scan, /\?<[^>]*>/y)
  const index = isLeftOut || isUntold ? -1 : scan.groups++
  const inner = parseEither(scan)
  scan.at++
  if (isLeftOut) return nothing
  return isUntold ? inner : { kind: 'group', part: inner, index }
}

/** The characters of a class: asked of the class itself, so that ranges and negation are its own. */
function parseClass(scan: Scan): PatternNode {
  const start = scan.at - 1
  while (scan.at < scan.source.length && scan.source[scan.at] !== ']') scan.at += scan.source[scan.at] === '\\' ? 2 : 1
  scan.at++
  const source = scan.source.slice(start, scan.at)
  const named = [...source.slice(1, -1)].filter((one) => !'\\^-'.includes(one))
  return { kind: 'characters', characters: charactersOf(source, [...usual, ...named]) }
}

/** The characters an escape stands for; `undefined` where it stands for a place, or for what came before. */
function readEscape(scan: Scan): readonly string[] | undefined {
  const code = take(scan, escapeCode)
  if (code) {
    const point = Number.parseInt(code[1] ?? code[2] ?? code[3] ?? '', 16)
    if (!Number.isNaN(point)) return [String.fromCodePoint(point)]
    return /^[pP]/.test(code[0]) ? charactersOf(`\\${code[0]}`, usual) : undefined
  }
  const character = scan.source[scan.at++] ?? ''
  if (/[bB]/.test(character)) return undefined
  if (/[dDwWsS]/.test(character)) return charactersOf(`\\${character}`, usual)
  return [controls[character] ?? character]
}

function charactersOf(source: string, candidates: readonly string[]): readonly string[] {
  const isOne = compilePattern(`^${source}$`)
  return isOne ? candidates.filter((one) => isOne.test(one)) : []
}

/**
 * Returns whether a pattern is sure not to take for ever over a short text: nothing that is repeated holds a repetition or
 * a choice, and it looks neither back nor behind.
 *
 * @param source - The source of a regular expression.
 */
export function isQuickPattern(source: string): boolean {
  const parsed = /\\[1-9]|\\k<|\(\?<[=!]/.test(source) ? undefined : parsePattern(source)
  return parsed !== undefined && isQuick(parsed, false)
}

function isQuick(node: PatternNode, isRepeated: boolean): boolean {
  if (node.kind === 'characters') return true
  if (node.kind === 'sequence') return node.parts.every((part) => isQuick(part, isRepeated))
  if (node.kind === 'group') return isQuick(node.part, isRepeated)
  if (isRepeated) return false
  return node.kind === 'either'
    ? node.branches.every((branch) => isQuick(branch, false))
    : isQuick(node.part, node.high > 1)
}

/**
 * Compiles a pattern, with or without `u`; `undefined` where it is none.
 *
 * @param source - The source of a regular expression.
 */
export function compilePattern(source: string): RegExp | undefined {
  for (const flags of ['u', ''])
    try {
      return new RegExp(source, flags)
    } catch {
      // Without `u` more is allowed.
    }
  return undefined
}

function take(scan: Scan, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = scan.at
  const found = pattern.exec(scan.source)
  if (!found) return undefined
  scan.at += found[0].length
  return found
}

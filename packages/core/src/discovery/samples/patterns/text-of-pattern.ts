interface Scan {
  readonly source: string
  /** How often a part is repeated that may be repeated for ever. */
  readonly repeats: number
  at: number
}

/** One of these fits most classes of characters. */
const usual = [...'a1A0xX9-_. ,:;/@#+~!?%&$=*()\n', 'é', '漢']
const maxSource = 1000
const maxRepeats = 64
const quantifier = /(?:[*+?]|\{(\d+)(,?)\d*\})\??/y
const group = /\?(?:<(?![=!])[^>]*>|<?[=!:])?/y
const escaped = /\\(?:u\{[\da-fA-F]+\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|[pP]\{[^}]*\}|.)/y

/**
 * Returns a text that a regular expression matches; `undefined` if none is found.
 *
 * @param source - The source of the expression.
 * @param fits - Returns whether a text may be had.
 */
export function toTextOfPattern(source: string, fits: (text: string) => boolean): string | undefined {
  if (source.length > maxSource) return undefined
  for (let repeats = 0; repeats <= maxRepeats; repeats += repeats < 4 ? 1 : 6)
    try {
      const text = takeEither({ source, repeats, at: 0 })
      if (fits(text)) return text
    } catch {
      return undefined
    }
  return undefined
}

/** Takes the first of several branches. */
function takeEither(scan: Scan): string {
  let [text, isFirst] = ['', true]
  for (; scan.at < scan.source.length && scan.source[scan.at] !== ')'; ) {
    if (scan.source[scan.at] === '|') {
      scan.at++
      isFirst = false
      continue
    }
    const part = takeOne(scan)
    const count = takeCount(scan)
    if (isFirst) text += part.repeat(count)
  }
  return text
}

function takeOne(scan: Scan): string {
  const { source, at } = scan
  const character = source[at] ?? ''
  if (character === '(') return takeGroup(scan)
  if (character === '[') {
    do scan.at += source[scan.at] === '\\' ? 2 : 1
    while (scan.at < source.length && source[scan.at] !== ']')
    scan.at++
    const named = [...source.slice(at + 1, scan.at - 1)].filter((one) => !'\\^-'.includes(one))
    return toCharacter(source.slice(at, scan.at), [...usual, ...named])
  }
  if (character === '\\') {
    const code = take(scan, escaped) ?? ''
    const point = Number.parseInt(/^\\[ux]\{?([\da-fA-F]+)/.exec(code)?.[1] ?? '', 16)
    const named = Number.isNaN(point) ? code.slice(1) : String.fromCodePoint(point)
    return /^\\[bB]$/.test(code) ? '' : toCharacter(code, [...usual, named])
  }
  scan.at++
  return character === '^' || character === '$' ? '' : character === '.' ? 'a' : character
}

/** What must lie ahead is written in front of the rest, which fits more often than not; what must not is left out. */
function takeGroup(scan: Scan): string {
  scan.at++
  const isLeftOut = /^\?(?:!|<[=!])/.test(scan.source.slice(scan.at, scan.at + 3))
  take(scan, group)
  const text = takeEither(scan)
  scan.at++
  return isLeftOut ? '' : text
}

function takeCount(scan: Scan): number {
  quantifier.lastIndex = scan.at
  const found = quantifier.exec(scan.source)
  if (!found) return 1
  scan.at += found[0].length
  const [text, low, comma] = found
  if (low !== undefined) return Number(low) + (comma ? scan.repeats : 0)
  return text.startsWith('?') ? Math.min(scan.repeats, 1) : scan.repeats + (text.startsWith('+') ? 1 : 0)
}

function toCharacter(source: string, candidates: readonly string[]): string {
  const own = new RegExp(`^${source}$`, 'u')
  return candidates.find((one) => own.test(one)) ?? ''
}

function take(scan: Scan, pattern: RegExp): string | undefined {
  pattern.lastIndex = scan.at
  const found = pattern.exec(scan.source)?.[0]
  scan.at += found?.length ?? 0
  return found
}

import { isObject } from '@trestle/protocol'

/** Separates two braces in data, so that they are not parsed as the start of an output. */
const mark = '\u{f8fe5}'
/** Matches an output. */
export const output: RegExp = /\{\{\{[^{}]*\}\}\}|\{\{[^{}]*\}\}/g

/**
 * Escapes all double braces in a text except those of selected outputs.
 *
 * @param isOutput - Decides for each `{{ … }}` whether it stays an output, by its source and position.
 */
export function markBraces(text: string, isOutput: (source: string, at: number) => boolean): string {
  if (!text.includes('{{')) return text
  let end = 0
  let marked = ''
  for (const { 0: source, index } of text.matchAll(output)) {
    if (!isOutput(source, index)) continue
    marked += markPairs(text.slice(end, index), true) + source
    end = index + source.length
  }
  return marked + markPairs(text.slice(end), false)
}

/** A brace directly before an output would make it a triple brace. */
const markPairs = (text: string, isBeforeOutput: boolean): string =>
  text.replaceAll(isBeforeOutput ? /\{(?=\{|$)/g : /\{(?=\{)/g, `{${mark}`)

/** Returns JSON with unescaped braces. */
export function unmarkBraces<TValue>(value: TValue): TValue {
  return mapTexts(value, (text) => text.replaceAll(`{${mark}`, '{')) as TValue
}

/**
 * Returns JSON with outputs escaped if they also occur in data, because the data's author must not control what they
 * render.
 *
 * @param value - The value created from the data.
 */
export function markDataBraces<TValue>(value: TValue, data: unknown): TValue {
  const { whole, tails } = findBraces(data)
  if (whole.size === 0 && tails.size === 0) return value
  const isData = (source: string): boolean => {
    const plain = unescapeHtml(source)
    if (whole.has(source) || whole.has(plain)) return true
    // The end of one value and the start of another may together form an output tag.
    for (let length = 2; length < plain.length; length++) if (tails.has(plain.slice(0, length))) return true
    return false
  }
  return mapTexts(value, (text) => markBraces(text, (source) => !isData(source))) as TValue
}

interface Braces {
  readonly whole: ReadonlySet<string>
  readonly tails: ReadonlySet<string>
}

function findBraces(data: unknown): Braces {
  const [whole, tails] = [new Set<string>(), new Set<string>()]
  mapTexts(data, (text) => {
    if (!text.includes('{')) return text
    for (const [source] of text.matchAll(output)) whole.add(source)
    const tail = /\{\{[^{}]*\}?$/.exec(text.slice(-1000))
    if (tail) tails.add(tail[0])
    // The text before it may end with the other brace.
    const head = /^\{[^{}]*\}\}/.exec(text)
    if (head) whole.add(`{${head[0]}`)
    return text
  })
  return { whole, tails }
}

const entities: Readonly<Record<string, string>> = {
  quot: '"',
  '#34': '"',
  '#39': "'",
  '#x27': "'",
  lt: '<',
  gt: '>',
  amp: '&',
}

/** In HTML, the value was escaped. */
const unescapeHtml = (text: string): string =>
  text.replaceAll(/&(quot|#34|#39|#x27|lt|gt|amp);/g, (all, name: string) => entities[name] ?? all)

const maxDepth = 200

function mapTexts(value: unknown, change: (text: string) => string, depth = 0): unknown {
  if (typeof value === 'string') return change(value)
  if (typeof value !== 'object' || value === null || depth > maxDepth) return value
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change, depth + 1))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, change, depth + 1)]))
}

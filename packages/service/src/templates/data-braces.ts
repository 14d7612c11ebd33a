import { isObject } from '@trestle/protocol'

/** Separates two braces in data, so that they are not parsed as the start of an output. */
const mark = '\u{f8fe5}'
/** Matches an output. */
export const output: RegExp = /\{\{\{[^{}]*\}\}\}|\{\{[^{}]*\}\}/g
/** Matches the start of an output that prints a translation, and its key. Other outputs of a message are text. */
export const translation: RegExp = /^\{\{\{?-?\s*t\s*(?:\.|(?=\[))([^|{}]*)/

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
  const braces = findBraces(data)
  if (!braces) return value
  let examinedCount = 0
  const isOutput = (source: string): boolean =>
    translation.test(source) &&
    source.length <= maxLength &&
    ++examinedCount <= maxOutputs &&
    !isFromData(source, braces) &&
    !isFromData(unescapeHtml(source), braces)
  return mapTexts(value, (text) => markBraces(text, isOutput)) as TValue
}

/** The maximum length of an output that can render; longer ones are escaped. */
const maxLength = 1_000
/** The maximum number of outputs in a value that can render. */
const maxOutputs = 2_000
/** The maximum number of different beginnings of outputs in data; with more, no output renders. */
const maxStarts = 100

/** Parts of outputs in data. */
interface Braces {
  readonly whole: ReadonlySet<string>
  /** Ends of values that start an output: `{{ t.`. */
  readonly starts: ReadonlySet<string>
  /** Beginnings of values that end an output, without its braces: `name ` of `name }}`. */
  readonly ends: ReadonlySet<string>
}

/** Returns whether data contains an output, or two of its values may together form it. */
function isFromData(source: string, { whole, starts, ends }: Braces): boolean {
  if (whole.has(source) || starts.size > maxStarts) return true
  const started = [...starts].filter((start) => source.startsWith(start))
  if (started.length === 0) return false
  const inner = source.replace(/\}+$/, '')
  return started.some((start) => translation.test(start)) || [...ends].some((end) => inner.endsWith(end))
}

/** Returns the parts of outputs in data; undefined without any. */
function findBraces(data: unknown): Braces | undefined {
  const [whole, starts, ends] = [new Set<string>(), new Set<string>(), new Set<string>()]
  mapTexts(data, (text) => {
    const [, end] = /^([^{}]*)\}/.exec(text.slice(0, maxLength)) ?? []
    if (end !== undefined && ends.size <= maxStarts) ends.add(end)
    if (!text.includes('{')) return text
    for (const [source] of text.matchAll(output)) if (source.length <= maxLength) whole.add(source)
    const [start] = /\{\{[^{}]*\}?$/.exec(text.slice(-maxLength)) ?? []
    if (start !== undefined && starts.size <= maxStarts) starts.add(start)
    // The text before it may end with the other brace.
    const [head] = /^\{[^{}]*\}\}/.exec(text.slice(0, maxLength)) ?? []
    if (head !== undefined) whole.add(`{${head}`)
    return text
  })
  // With too many different ends, each output may have one of them.
  if (ends.size > maxStarts) ends.add('')
  return whole.size === 0 && starts.size === 0 ? undefined : { whole, starts, ends }
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

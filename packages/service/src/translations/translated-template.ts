import { outputsOf } from '@trestle/templates/liquid'
import type { Context, Emitter, Output, Template } from 'liquidjs'
import { findFixedTranslations } from '../templates/fixed-translations.ts'
import { type LiquidEngine, readHtml } from '../templates/liquid-engine.ts'

/** A parsed template. */
export interface TranslatedTemplate {
  readonly nodes: Template[]
  /** Whether it prints translations. */
  readonly hasTranslations: boolean
}

const rawBlockOrOutput = /\{%-?\s*raw\s*-?%\}[\s\S]*?\{%-?\s*endraw\s*-?%\}|\{\{\{[^{}]*\}\}\}/g

/** The layouts and texts of one workflow are the same for all its recipients. */
const parsed = new Map<string, TranslatedTemplate>()
/** The maximum size of parsed templates; a new template that exceeds it removes all others. */
const maxParsedSize = 500_000
let parsedSize = 0

/**
 * Parses a template in which `{{{ x }}}` is not escaped, and `{{ t.key }}` prints a translation: HTML that is not
 * escaped again. A key without a text prints the output as written, unless it has a default.
 *
 * @throws An error in the template, or a translation that is not printed directly.
 */
export function parseTranslated(text: string, engine: LiquidEngine, isHtml: boolean): TranslatedTemplate {
  const key = `${isHtml}:${text}`
  const known = parsed.get(key)
  if (known) return known
  const template = parse(text, engine, isHtml)
  const size = text.length + 1000
  if (parsedSize + size > maxParsedSize) {
    parsed.clear()
    parsedSize = 0
  }
  parsed.set(key, template)
  parsedSize += size
  return template
}

function parse(text: string, engine: LiquidEngine, isHtml: boolean): TranslatedTemplate {
  const liquid = engine.of(isHtml)
  const { library } = engine
  const raw = new Set<number>()
  // The length stays the same, so that the places of errors are those in the text.
  const liquidText = text.replaceAll(rawBlockOrOutput, (source, at: number) => {
    if (!source.startsWith('{{{')) return source
    raw.add(at)
    return `{{ ${source.slice(3, -3)} }}`
  })
  const nodes = liquid.parse(liquidText)
  const outputs = findFixedTranslations({ text: liquidText, nodes }, { liquid, library })
  for (const output of raw.size > 0 ? outputsOf(nodes, library) : [])
    if (raw.has(output.token.begin)) output.render = (context, emitter) => printRaw(output, context, emitter)
  for (const [output, keys] of outputs) {
    const source = text.slice(output.token.begin, output.token.end)
    output.render = (context, emitter) => printTranslation({ output, keys, source, engine }, context, emitter)
  }
  return { nodes, hasTranslations: outputs.size > 0 }
}

type Printing = IterableIterator<unknown>

/** Prints the value of an output without escaping it. */
function* printRaw(output: Output, context: Context, emitter: Emitter): Printing {
  const value = yield* filter(output, yield output.value.initial.evaluate(context, false), context)
  emitter.write(readHtml(value) ?? value)
}

interface TranslationOutput {
  readonly output: Output
  readonly keys: readonly string[]
  /** The output as written. */
  readonly source: string
  readonly engine: LiquidEngine
}

function* printTranslation(
  { output, keys, source, engine }: TranslationOutput,
  context: Context,
  emitter: Emitter,
): Printing {
  const texts = engine.textsOf(context)
  const text = texts?.find(keys)
  if (text === undefined && !output.value.filters.some(({ name }) => name === 'default')) {
    texts?.miss(keys.join('.'))
    emitter.write(source)
    return
  }
  emitter.write(yield* filter(output, text, context))
}

/** Applies the filters of an output, without the escaping that the engine adds as the last one. */
function* filter({ value: { filters } }: Output, given: unknown, context: Context): Generator<unknown, unknown> {
  const own = filters.at(-1)?.raw ? filters : filters.slice(0, -1)
  let value = given
  for (const one of own) value = yield one.render(value, context)
  return value
}

import { escapeHtml } from '@trestle/html/escape'
import { createLiquid, limitOutput } from '@trestle/templates/liquid'
import { toDataText } from '@trestle/templates/text'
import type { Context, Liquid, Template } from 'liquidjs'
import type { RenderBudget } from './render-budget.ts'

type Library = typeof import('liquidjs')

/** The texts that a template prints with `{{ t.key }}`. */
export interface Texts {
  /** Returns the text of a key; `undefined` if no locale has it. */
  find(keys: readonly string[]): string | undefined
  /** Reports a key that is used and has no text. */
  miss(key: string): void
}

/** The data of a template. */
export interface RenderOptions {
  /** Only own properties are read. A variable can be the result of {@link toHtml}. */
  readonly variables: Readonly<Record<string, unknown>>
  /** The limits of the template. */
  readonly budget: RenderBudget
  /** @default none */
  readonly texts?: Texts
}

/** The engine for the templates of tenants. It runs in the sandbox. */
export interface LiquidEngine {
  readonly library: Library
  /**
   * Returns the engine for HTML, which escapes inserted values except with `{{ x | raw }}`, or the one for plain text.
   */
  of(isHtml: boolean): Liquid
  /**
   * Renders a parsed template.
   *
   * @throws An error in the template, or an exhausted budget.
   */
  render(nodes: Template[], options: RenderOptions): string
  /** Returns the texts of a template that is being rendered. */
  textsOf(context: Context): Texts | undefined
}

const parseLimit = 500_000
const htmlTexts = new WeakMap<object, string>()

/** Returns a variable with HTML that is not escaped. */
export function toHtml(text: string): object {
  const value: object = Object.create({ toString: () => text })
  htmlTexts.set(value, text)
  return value
}

/** Returns the HTML of a variable; `undefined` for any other value. */
export function readHtml(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null ? htmlTexts.get(value) : undefined
}

let engine: Promise<LiquidEngine> | undefined

/** Returns the engine, which is loaded with the first template of the process. */
export function liquidEngine(): Promise<LiquidEngine> {
  engine ??= import('liquidjs').then(createEngine)
  return engine
}

function createEngine(library: Library): LiquidEngine {
  const { Context } = library
  const rendering = new WeakMap<Context, RenderOptions>()
  const create = (outputEscape: (value: unknown) => string): Liquid => {
    const liquid = createLiquid(library, { parseLimit, outputEscape })
    liquid.registerFilter('raw', { raw: true, handler: (value: unknown) => readHtml(value) ?? value })
    limitOutput(liquid, (context) => rendering.get(context)?.budget.countOutput)
    return liquid
  }
  const plain = create((value) => readHtml(value) ?? toDataText(value))
  const html = create((value) => readHtml(value) ?? escapeOnce(toDataText(value)))
  return {
    library,
    of: (isHtml) => (isHtml ? html : plain),
    render(nodes, options) {
      const { memoryLimit, renderLimit } = options.budget
      // Tags can assign variables.
      const scope = { ...options.variables }
      const context = new Context(scope, plain.options, { sync: true }, { memoryLimit, renderLimit, liquid: plain })
      rendering.set(context, options)
      return String(library.toValueSync(plain.renderer.renderTemplates(nodes, context)))
    },
    textsOf: (context) => rendering.get(context)?.texts,
  }
}

/** Avoids double escaping if a template escapes a value itself. */
function escapeOnce(text: string): string {
  return text.replace(/&(?!(?:amp|lt|gt|quot|#34|#39);)|[<>"']/g, escapeHtml)
}

import type { Expression } from './expression.ts'
import { applyFilters, escapeHtml, filterNames, isFilter, toText } from './filter.ts'
import { createRenderBudget, type RenderBudget, RenderLimitError } from './render-budget.ts'
import { type OutputSegment, splitTemplate } from './segment.ts'

/** How a template is rendered. */
export interface RenderOptions {
  /** The values that the paths lead into. Only own properties are followed. */
  readonly variables: Readonly<Record<string, unknown>>
  /** Whether values are escaped, because the text is HTML. */
  readonly isHtml: boolean
  /** Names whose values are HTML themselves and are never escaped. @default none */
  readonly htmlNames?: readonly string[]
  /** Returns what stands for an output in place of its value; `undefined` for the value. */
  readonly replace?: (expression: Expression, output: OutputSegment) => string | undefined
  /** The longest text that is returned, in characters. @default 1000000 */
  readonly maxLength?: number
  /** The work that may be done. @default a new one */
  readonly budget?: RenderBudget
}

/**
 * Renders a template. Every value is printed once and never read as a template again; an output that is not a path
 * with known filters stays as it was written.
 *
 * @param template - Text with outputs such as `{{ subscriber.firstName | default: "you" }}`.
 * @param options - Variables, kind of text and limit.
 * @throws {RenderLimitError} If the result would be longer than the limit, or the budget is used up.
 */
export function renderTemplate(template: string, options: RenderOptions): string {
  const { maxLength = 1_000_000, budget = createRenderBudget() } = options
  let length = 0
  budget.spend(template.length)
  const parts = splitTemplate(template).map((segment) => {
    const text = segment.kind === 'text' ? segment.text : renderOutput(segment, { ...options, budget })
    length += text.length
    if (length > maxLength) throw new RenderLimitError(`The rendered text is longer than ${maxLength} characters.`)
    return text
  })
  return parts.join('')
}

/**
 * Returns what is wrong with a template that is about to be stored: outputs that could not be rendered.
 *
 * @param template - The template.
 * @returns One sentence for each fault, none for a sound template.
 */
export function checkTemplate(template: string): readonly string[] {
  const faults = splitTemplate(template).flatMap((segment) => {
    if (segment.kind === 'text') return segment.text.includes('{%') ? ['Tags such as {% if %} are not supported.'] : []
    const { expression, source } = segment
    if (!expression) return [`${clip(source)} is not a variable with filters, such as {{ payload.name | upcase }}.`]
    const unknown = expression.filters.filter(({ name }) => !isFilter(name))
    return unknown.map(({ name }) => `There is no filter "${name}"; there are ${filterNames.join(', ')}.`)
  })
  return [...new Set(faults)]
}

function renderOutput(output: OutputSegment, options: RenderOptions & { readonly budget: RenderBudget }): string {
  const { expression, source, isRaw } = output
  if (!expression) return source
  const replaced = options.replace?.(expression, output)
  if (replaced !== undefined) return replaced
  if (expression.filters.some(({ name }) => !isFilter(name))) return source
  const { path, filters } = expression
  const value = applyFilters(readPath(options.variables, path), filters, options.budget)
  const isEscaped = filters.some(({ name }) => name === 'escape')
  const isHtmlItself = path.length === 1 && options.htmlNames?.includes(path[0] ?? '')
  const text = toText(value)
  options.budget.spend(text.length)
  return options.isHtml && !isRaw && !isEscaped && !isHtmlItself ? escapeHtml(text) : text
}

/**
 * Returns the value a path leads to, along own properties only.
 *
 * @param from - Where the path starts.
 * @param path - The names.
 */
export function readPath(from: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    return Reflect.get(value, name)
  }, from)
}

function clip(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}

import { escapeHtml } from '@trestle/html/escape'
import { findPath } from '@trestle/protocol'
import { toText } from '@trestle/templates/text'
import type { Expression } from './expression.ts'
import { applyFilters, filterNames, isFilter } from './filter.ts'
import { createRenderBudget, type RenderBudget, RenderLimitError } from './render-budget.ts'
import { type OutputSegment, splitTemplate } from './segment.ts'

/** Options for rendering a template. */
export interface RenderOptions {
  /** The values that paths refer to. Only own properties are followed. */
  readonly variables: Readonly<Record<string, unknown>>
  /** Whether to escape values, because the text is HTML. */
  readonly isHtml: boolean
  /** Names whose values are already HTML and are never escaped. @default none */
  readonly htmlNames?: readonly string[]
  /** Returns the replacement for an output; `undefined` to render its value. */
  readonly replace?: (expression: Expression, output: OutputSegment) => string | undefined
  /** The maximum length of the result, in characters. @default 1000000 */
  readonly maxLength?: number
  /** The remaining budget. @default a new budget */
  readonly budget?: RenderBudget
}

/**
 * Renders a template. Values are printed once and never parsed as a template; an output that is not a path with known
 * filters is left unchanged.
 *
 * @param template - Text with outputs such as `{{ subscriber.firstName | default: "you" }}`.
 * @param options - The variables, text type and limit.
 * @throws {RenderLimitError} The result would exceed the limit, or the budget is exhausted.
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
 * Returns the errors of a template before it is stored: outputs that cannot be rendered.
 *
 * @returns One sentence per error; empty for a valid template.
 */
export function checkTemplate(template: string): readonly string[] {
  const faults = splitTemplate(template).flatMap((segment) => {
    if (segment.kind === 'text') return segment.text.includes('{%') ? ['Tags such as {% if %} are not supported.'] : []
    const { expression, source } = segment
    if (!expression) return [`${clip(source)} is not a variable with filters, such as {{ payload.name | upcase }}.`]
    const unknown = expression.filters.filter(({ name }) => !isFilter(name))
    return unknown.map(
      ({ name }) => `The filter "${name}" does not exist. Available filters: ${filterNames.join(', ')}.`,
    )
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
  const value = applyFilters(findPath(options.variables, path), filters, options.budget)
  const isEscaped = filters.some(({ name }) => name === 'escape')
  const isHtmlItself = path.length === 1 && options.htmlNames?.includes(path[0] ?? '')
  const text = toText(value)
  options.budget.spend(text.length)
  return options.isHtml && !isRaw && !isEscaped && !isHtmlItself ? escapeHtml(text) : text
}

function clip(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}

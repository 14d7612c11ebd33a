import { isObject, type JsonObject, toPointer } from '@trestle/protocol'
import { type TemplateFault, toTemplateFault } from '@trestle/templates/liquid'
import { liquidEngine } from '../templates/liquid-engine.ts'
import { createRenderBudget } from '../templates/render-budget.ts'
import { ComposeError } from './compose-error.ts'
import { renderControl } from './control-template.ts'

const maxDepth = 20
const limits = { memory: 1_000_000, output: 2 ** 22 }

/** A string with HTML. */
export interface RenderedHtml {
  readonly path: readonly string[]
  readonly template: string
  readonly html: string
}

/** Rendered control values. */
export interface RenderedControls {
  readonly values: JsonObject
  /** Their strings with HTML. */
  readonly html: readonly RenderedHtml[]
}

/**
 * Renders all strings in control values.
 *
 * @param controls - The stored values.
 * @param isHtml - Returns whether the value at a path is HTML: values inserted there are escaped.
 * @throws {ComposeError} A template cannot be rendered; the error names its control.
 */
export async function renderControls(
  controls: JsonObject,
  variables: JsonObject,
  isHtml: (path: readonly string[]) => boolean,
): Promise<RenderedControls> {
  const engine = await liquidEngine()
  const budget = createRenderBudget(limits)
  const html: RenderedHtml[] = []
  const render = (value: unknown, path: readonly string[]): unknown => {
    if (path.length > maxDepth) throw toError(path, { text: 'is nested too deep' })
    if (typeof value === 'string') return renderText(value, path)
    if (Array.isArray(value)) return value.map((item, index) => render(item, [...path, String(index)]))
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, render(item, [...path, key])]))
  }
  const renderText = (text: string, path: readonly string[]): string => {
    try {
      const hasHtml = isHtml(path)
      const rendered = renderControl(text, { variables, isHtml: hasHtml, budget }, engine)
      if (hasHtml) html.push({ path, template: text, html: rendered })
      return rendered
    } catch (error) {
      throw toError(path, toTemplateFault(error))
    }
  }
  return { values: render(controls, []) as JsonObject, html }
}

function toError(path: readonly string[], { text, place, hint }: Partial<TemplateFault>): ComposeError {
  const message = [text?.slice(0, 500), hint].filter(Boolean).join('. ')
  const { row: line, col: column } = place ?? {}
  const at = place ? ` at line ${line}, column ${column}` : ''
  return new ComposeError(
    'StepControlCompilationFailedError',
    `The template of the control "${path.join('.')}" failed${at}: ${message}`,
    { path: toPointer(path), message, ...(place && { line, column }) },
  )
}

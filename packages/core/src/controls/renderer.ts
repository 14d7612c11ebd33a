import { lazy } from '../base/lazy.ts'
import { createTextCache } from '../base/text-cache.ts'
import { compilePlain } from './plain/compile-plain.ts'
import type { PlainTemplate } from './plain/plain-template.ts'
import type { RenderOptions } from './plain/render-options.ts'
import { renderPlain } from './plain/render-plain.ts'
import type { TemplateBudget } from './plain/template-budget.ts'
import { createTemplateError } from './plain/template-error.ts'
import { weighTemplate } from './plain/template-weight.ts'

/** Renders a template to text or, on request, to the value of its single expression. */
export type Renderer = (text: string, options: RenderOptions) => unknown

// The engine is loaded when the first complex template is rendered.
const loading = lazy(async () => {
  const [{ renderTemplate }, { templateEngine }] = await Promise.all([
    import('./templates/template.ts'),
    import('./templates/template-engine.ts'),
  ])
  const engine = await templateEngine()
  const render: Renderer = (text, options) => renderTemplate(text, options, engine)
  return { render }
})

const notLoaded: unique symbol = Symbol('the engine is not loaded')
const plainTemplates = createTextCache<PlainTemplate | null>(weighTemplate)

/**
 * Calls a function with the template renderer. Calls it again, with the original budget, if a template needs the engine
 * and that has to be loaded first.
 *
 * @param budget - The limits of the templates.
 * @returns A promise only while the engine is loaded.
 */
export function withRenderer<TResult>(
  budget: TemplateBudget,
  use: (render: Renderer) => TResult | Promise<TResult>,
): TResult | Promise<TResult> {
  const before = { ...budget }
  try {
    return use(render)
  } catch (error) {
    if (error !== notLoaded) throw error
  }
  Object.assign(budget, before)
  return Promise.resolve(loading()).then(() => use(render))
}

const render: Renderer = (text, options) => {
  const { budget, path } = options
  budget.templateLength -= text.length
  if (budget.templateLength < 0)
    throw createTemplateError(path, 'the templates of one request are too long in total', { line: 1, column: 1 })
  const plain = plainTemplates.get(text, () => compilePlain(text) ?? null)
  const rendered = plain && renderPlain(plain, options)
  if (rendered) return rendered.value
  const engine = loading()
  if (engine instanceof Promise) throw notLoaded
  return engine.render(text, options)
}

import { toTemplateFault } from '@trestle/templates/liquid'
import { isJson } from '@trestle/templates/text'
import type { Template as Node, Output } from 'liquidjs'
import { createTextCache } from '../../base/text-cache.ts'
import { countValue } from '../plain/count-value.ts'
import type { RenderOptions } from '../plain/render-options.ts'
import { createTemplateError } from '../plain/template-error.ts'
import { weighTemplate } from '../plain/template-weight.ts'
import type { TemplateEngine } from './template-engine.ts'
import { keepTranslations } from './translation.ts'

export interface Template {
  readonly nodes: Node[]
  /** The expression, if it is the whole template. */
  readonly lone: Output | undefined
}

const templates = createTextCache<Template>(weighTemplate)

/** Returns the number of cached templates, and their total weight. */
export function keptTemplates(): { readonly count: number; readonly weight: number } {
  return templates.kept()
}

/**
 * Parses a template, or returns the cached result for the same text.
 *
 * @param path - JSON pointer to the control, for errors.
 * @throws StepControlCompilationFailedError - The template is invalid, or uses unsupported features.
 */
export function parseTemplate(text: string, path: string, engine: TemplateEngine): Template {
  return templates.get(text, () => {
    let nodes: Node[]
    try {
      nodes = engine.liquid.parse(text)
    } catch (error) {
      throw toTemplateError(error, path)
    }
    const kept = keepTranslations({ text, nodes, path }, engine)
    return { nodes, lone: findLone(nodes, kept, engine) }
  })
}

/**
 * @returns Text; with `native`, the value of a single expression, or `undefined` if the variable is missing.
 * @throws StepControlCompilationFailedError - The template is invalid, fails or exceeds a limit.
 */
export function renderTemplate(text: string, options: RenderOptions, engine: TemplateEngine): unknown {
  const { path, native } = options
  const { nodes, lone } = parseTemplate(text, path, engine)
  try {
    const context = engine.createContext(text, options)
    const { toValueSync } = engine.library
    if (native && lone) {
      const value: unknown = toValueSync(lone.value.value(context, false))
      if (isJson(value)) {
        if (!countValue(value, options.budget)) throw new Error('output limit exceeded')
        return value
      }
    }
    return toValueSync(engine.liquid.renderer.renderTemplates(nodes, context))
  } catch (error) {
    throw toTemplateError(error, path)
  }
}

/** Converts an error of the engine to one that names the control, the line and the column. */
function toTemplateError(error: unknown, path: string): ReturnType<typeof createTemplateError> {
  const { text, place, hint } = toTemplateFault(error)
  const message = hint ? `${text}. ${hint}` : text
  return createTemplateError(path, message, { line: place?.row ?? 1, column: place?.col ?? 1, cause: error })
}

function findLone(nodes: Node[], kept: ReadonlySet<Node>, { library }: TemplateEngine): Output | undefined {
  const [only, another] = nodes.filter((node) => !isBlank(node))
  return only instanceof library.Output && !another && !kept.has(only) ? only : undefined
}

function isBlank(node: Node): boolean {
  return 'str' in node && typeof node.str === 'string' && node.str.trim() === ''
}

import { type CountOutput, createLiquid, limitOutput } from '@trestle/templates/liquid'
import type { Context, Liquid } from 'liquidjs'
import { lazy } from '../../base/lazy.ts'
import type { RenderOptions } from '../plain/render-options.ts'
import type { TemplateBudget } from '../plain/template-budget.ts'
import { closeScope } from './template-scope.ts'

type Library = typeof import('liquidjs')

/** The template engine, with access to nothing except its variables. */
export interface TemplateEngine {
  readonly library: Library
  readonly liquid: Liquid
  /**
   * Creates the context of one control; all controls of a request share time and memory limits.
   *
   * @param options - The variables, of which only own properties are read, and the request's budget.
   */
  createContext(text: string, options: RenderOptions): Context
}

/** Returns the engine; a promise until it is loaded for the process's first template. */
export const templateEngine: () => TemplateEngine | Promise<TemplateEngine> = lazy(async () =>
  createEngine(await import('liquidjs/dist/liquid.browser.mjs')),
)

function createEngine(library: Library): TemplateEngine {
  const { Context } = library
  const liquid = createLiquid(library)
  const budgets = new WeakMap<Context, TemplateBudget>()
  limitOutput(liquid, (context) => {
    const budget = budgets.get(context)
    return budget && createCount(budget)
  })
  return {
    library,
    liquid,
    createContext(text, { variables, budget, onUnknown }) {
      const { renderMs: renderLimit, memoryUnits: memoryLimit } = budget.limits
      const scope = { ...variables }
      const shared = budget.counters as Pick<Context, 'memoryLimit' | 'renderLimit'> | undefined
      const options = { sync: true, renderLimit, memoryLimit }
      const context = new Context(scope, liquid.options, options, { ...shared, liquid })
      budget.counters ??= { memoryLimit: context.memoryLimit, renderLimit: context.renderLimit }
      budgets.set(context, budget)
      closeScope(context, library, { text, onUnknown })
      return context
    },
  }
}

/** Counts the output of one control, and of all controls of its request. */
function createCount(budget: TemplateBudget): CountOutput {
  let left = budget.limits.maxControlLength
  return (characters) => {
    left -= characters
    budget.outputLength -= characters
    if (left < 0 || budget.outputLength < 0) throw new Error('output limit exceeded')
  }
}

import type { Context, Emitter, Liquid } from 'liquidjs'
import { toText } from '../text/template-value.ts'

/** Counts the output of one template or `capture`; throws if a limit is reached. */
export type CountOutput = (characters: number) => void

/**
 * Adds an output limit, because the engine only limits memory and time. All output goes through the overridden method,
 * which creates an emitter for each template and each `capture`; the emitter counts.
 *
 * @param liquid - The engine.
 * @param startCount - Returns the counter of a new emitter; without one, its output is not limited.
 * @example
 * limitOutput(liquid, (context) => budgets.get(context)?.countOutput)
 */
export function limitOutput(liquid: Liquid, startCount: (context: Context) => CountOutput | undefined): void {
  const { renderer } = liquid
  const renderTemplates = renderer.renderTemplates.bind(renderer)
  renderer.renderTemplates = (templates, context, emitter) => {
    const count = emitter ? undefined : startCount(context)
    return renderTemplates(templates, context, emitter ?? (count && createEmitter(count)))
  }
}

function createEmitter(count: CountOutput): Emitter {
  return {
    buffer: '',
    write(value: unknown) {
      const text = toText(value)
      count(text.length)
      this.buffer += text
    },
  }
}

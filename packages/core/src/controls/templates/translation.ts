import { findTranslations } from '@trestle/templates/liquid'
import type { Template as Node } from 'liquidjs'
import { createTemplateError } from '../plain/template-error.ts'
import type { TemplateEngine } from './template-engine.ts'

interface Parsed {
  readonly text: string
  readonly nodes: Node[]
  /** JSON pointer to the control, for errors. */
  readonly path: string
}

/**
 * Keeps `{{ t.key }}` in the text for the service to translate: such an output prints its source.
 *
 * @param parsed - A parsed template, whose translation outputs are modified in place.
 * @throws StepControlCompilationFailedError - A translation is used in a way that would silently print nothing.
 */
export function keepTranslations({ text, nodes, path }: Parsed, engine: TemplateEngine): ReadonlySet<Node> {
  const { outputs, others } = findTranslations({ text, nodes }, engine)
  for (const { row, col } of others) {
    const message = 'a translation must be written as {{ t.key }}, because its text is not available here'
    throw createTemplateError(path, message, { line: row, column: col })
  }
  for (const output of outputs.keys()) {
    const source = output.token.getText()
    output.render = function* (_context, emitter): IterableIterator<unknown> {
      emitter.write(yield source)
    }
  }
  return new Set(outputs.keys())
}

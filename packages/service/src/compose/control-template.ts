import { randomUUID } from 'node:crypto'
import type { JsonObject } from '@trestle/protocol'
import type { Template } from 'liquidjs'
import { markBraces } from '../templates/data-braces.ts'
import { findFixedTranslations } from '../templates/fixed-translations.ts'
import type { LiquidEngine } from '../templates/liquid-engine.ts'
import type { RenderBudget } from '../templates/render-budget.ts'

/** How a control is rendered. */
export interface ControlOptions {
  /** Only own properties are read. */
  readonly variables: JsonObject
  /** Whether inserted values are escaped, except for `{{ x | raw }}`. */
  readonly isHtml: boolean
  /** What all controls of a step may use. */
  readonly budget: RenderBudget
}

const maxLength = 200_000

/**
 * Renders the template of a control.
 *
 * @returns The text; double braces in inserted values are escaped as data.
 * @throws An error in the template, or an unknown variable.
 */
export function renderControl(
  text: string,
  { variables, isHtml, budget }: ControlOptions,
  engine: LiquidEngine,
): string {
  if (!text.includes('{{') && !text.includes('{%')) return text
  if (text.length > maxLength) throw new Error(`it has more than ${maxLength} characters`)
  const liquid = engine.of(isHtml)
  const nodes = liquid.parse(text)
  const nonce = randomUUID()
  keepTranslations({ text, nodes, nonce }, { liquid, library: engine.library })
  const known = [...Object.keys(variables), 't']
  const unknown = liquid.globalVariablesSync(nodes).find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new Error(`there is no variable "${unknown}"; templates have ${Object.keys(variables).join(', ')}`)
  return markValues(engine.render(nodes, { variables, budget }), nonce)
}

interface ParsedControl {
  readonly text: string
  readonly nodes: Template[]
  /** Precedes each translation in the rendered text. */
  readonly nonce: string
}

/** Translations are inserted when the message is created, so they print themselves. */
function keepTranslations(
  { nonce, ...parsed }: ParsedControl,
  engine: Parameters<typeof findFixedTranslations>[1],
): void {
  for (const output of findFixedTranslations(parsed, engine).keys()) {
    const source = output.token.getText()
    output.render = function* (_context, emitter): IterableIterator<unknown> {
      emitter.write(yield nonce + source)
    }
  }
}

/** Only translations in the template itself are read when the message is created; braces in values are data. */
function markValues(rendered: string, nonce: string): string {
  const marked = markBraces(rendered, (_output, at) => rendered.startsWith(nonce, at - nonce.length))
  return marked.replaceAll(nonce, '')
}

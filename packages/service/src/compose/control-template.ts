import { randomUUID } from 'node:crypto'
import type { JsonObject } from '@trestle/protocol'
import { markBraces } from '../templates/data-braces.ts'
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

// Translations are inserted when the message is created.
const translation = /\{\{-?\s*t\.[^{}]*\}\}/g
const rawBlock = /(\{%-?\s*raw\s*-?%\}[\s\S]*?\{%-?\s*endraw\s*-?%\})/

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
  const nonce = randomUUID()
  const liquid = engine.of(isHtml)
  const nodes = liquid.parse(keepTranslations(text, nonce))
  const unknown = liquid.globalVariablesSync(nodes).find((name) => !Object.hasOwn(variables, name))
  if (unknown !== undefined)
    throw new Error(`there is no variable "${unknown}"; templates have ${Object.keys(variables).join(', ')}`)
  return markValues(engine.render(nodes, { variables, budget }), nonce)
}

/** Only translations in the template itself are read when the message is created; braces in values are data. */
function markValues(rendered: string, nonce: string): string {
  const marked = markBraces(rendered, (_output, at) => rendered.startsWith(nonce, at - nonce.length))
  return marked.replaceAll(nonce, '')
}

function keepTranslations(text: string, nonce: string): string {
  if (!text.includes('t.')) return text
  return text
    .split(rawBlock)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(translation, `{% raw %}${nonce}$&{% endraw %}`)))
    .join('')
}

import { randomUUID } from 'node:crypto'
import { escapeHtml } from '@trestle/html/escape'
import type { JsonObject } from '@trestle/protocol'
import { createLiquid } from '@trestle/templates/liquid'
import { toDataText } from '@trestle/templates/text'
import type { Liquid } from 'liquidjs'
import { markBraces } from '../templates/data-braces.ts'

export interface LiquidEngine {
  /**
   * Renders a template.
   *
   * @param variables - Only own properties are read.
   * @param isHtml - Whether inserted values are escaped, except for `{{ x | raw }}`.
   * @returns The text; double braces in inserted values are escaped as data.
   * @throws An error in the template, or an unknown variable.
   */
  render(text: string, variables: JsonObject, isHtml: boolean): string
}

const maxLength = 200_000
const maxOutput = 2 ** 21
const renderMs = 500
const memoryUnits = 1_000_000

// Translations are inserted when the message is stored.
const translation = /\{\{-?\s*t\.[^{}]*\}\}/g
const rawBlock = /(\{%-?\s*raw\s*-?%\}[\s\S]*?\{%-?\s*endraw\s*-?%\})/

let engine: Promise<LiquidEngine> | undefined

/** Returns the engine, which is loaded with the first template of the process. */
export function liquidEngine(): Promise<LiquidEngine> {
  engine ??= import('liquidjs').then((library) => {
    const limits = { parseLimit: maxLength, renderLimit: renderMs, memoryLimit: memoryUnits }
    const plain = createLiquid(library, { ...limits, outputEscape: toDataText })
    const html = createLiquid(library, { ...limits, outputEscape: (value) => escapeOnce(toDataText(value)) })
    return { render: (text, variables, isHtml) => render(isHtml ? html : plain, text, variables) }
  })
  return engine
}

function render(liquid: Liquid, text: string, variables: JsonObject): string {
  if (!text.includes('{{') && !text.includes('{%')) return text
  if (text.length > maxLength) throw new Error(`it has more than ${maxLength} characters`)
  const nonce = randomUUID()
  const templates = liquid.parse(keepTranslations(text, nonce))
  const unknown = liquid.globalVariablesSync(templates).find((name) => !Object.hasOwn(variables, name))
  if (unknown !== undefined)
    throw new Error(`there is no variable "${unknown}"; a template sees ${Object.keys(variables).join(', ')}`)
  const rendered = String(liquid.renderSync(templates, variables))
  if (rendered.length > maxOutput) throw new Error(`its output has more than ${maxOutput} characters`)
  return markValues(rendered, nonce)
}

/** Avoids double escaping if a template escapes a value itself. */
function escapeOnce(text: string): string {
  return text.replace(/&(?!(?:amp|lt|gt|quot|#34|#39);)|[<>"']/g, escapeHtml)
}

/** Only translations in the template itself are read when the message is stored; braces in values are data. */
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

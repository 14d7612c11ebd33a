import type { LiquidEngine } from '../templates/liquid-engine.ts'
import { toFaultText } from '../templates/template-fault.ts'
import { parseTranslated } from './translated-template.ts'

/** Returns the error in a template before it is stored; `undefined` for a valid one. */
export function findTemplateFault(text: string, engine: LiquidEngine): string | undefined {
  try {
    parseTranslated(text, engine, false)
    return undefined
  } catch (error) {
    const isBlock = /\{\{\{?\s*[#/^]/.test(text)
    const hint = isBlock ? '. Blocks are written in Liquid, such as {% if payload.vip %}...{% endif %}' : ''
    return `is not a valid template: ${toFaultText(error)}${hint}`
  }
}

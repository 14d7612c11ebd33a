import { liquidEngine } from '../templates/liquid-engine.ts'
import type { PlacedText, TextFault } from './check-texts.ts'
import { findTemplateFault } from './template-fault.ts'
import { parseTranslated } from './translated-template.ts'

/** Returns the first error in the templates of translations; `null` without one. */
export async function findTextFault(texts: readonly PlacedText[]): Promise<TextFault | null> {
  const engine = await liquidEngine()
  for (const { path, text } of texts) {
    const fault = findTemplateFault(text, engine)
    if (fault !== undefined) return { path, message: fault }
    if (parseTranslated(text, engine, false).hasTranslations)
      return { path, message: 'must not contain another translation, such as {{ t.key }}' }
  }
  return null
}

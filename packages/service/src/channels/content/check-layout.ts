import { outputsOf } from '@trestle/templates/liquid'
import { liquidEngine } from '../../templates/liquid-engine.ts'
import { findTemplateFault } from '../../translations/template-fault.ts'
import { parseTranslated } from '../../translations/translated-template.ts'

/** Names of the body in a layout. */
const bodyNames: ReadonlySet<string> = new Set(['body', 'content'])

/** Returns the error in the content of a layout before it is stored; `null` for a valid one. */
export async function checkLayout(content: string): Promise<string | null> {
  const engine = await liquidEngine()
  const fault = findTemplateFault(content, engine)
  if (fault !== undefined) return `The content ${fault}.`
  const { nodes } = parseTranslated(content, engine, false)
  for (const { value } of outputsOf(nodes, engine.library)) {
    const [token, another] = value.initial.postfix
    if (token && !another && bodyNames.has(token.getText())) return null
  }
  return 'The content must contain {{{body}}}, the placeholder of the body.'
}

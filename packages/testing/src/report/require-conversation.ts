import type { ConversationReport } from './conversation-report.ts'
import { printValue } from './print-value.ts'

/**
 * Returns a value if it is the report of a conversation.
 *
 * @throws TypeError - The value is an un-awaited promise, or something else.
 */
export function requireConversation(given: unknown): ConversationReport {
  const fields = (typeof given === 'object' && given !== null ? given : {}) as Readonly<Record<string, unknown>>
  if (typeof fields['then'] === 'function')
    throw new TypeError(
      'This is a promise, not the report of a conversation: add the missing await. Write `await bridge.converse(…)`.',
    )
  if (Array.isArray(fields['said']) && Array.isArray(fields['asked']) && Array.isArray(fields['turns']))
    return given as ConversationReport
  const preview = printValue(given).slice(0, 200)
  throw new TypeError(`This is not the report of a conversation, as bridge.converse returns it: ${preview}.`)
}

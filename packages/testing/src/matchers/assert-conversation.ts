import { AssertionError } from 'node:assert'
import type { AskedQuestion, ConversationReport, SaidMessage } from '../report/conversation-report.ts'
import { checkAsked, checkResolved, checkSaid, type ExpectedSaid } from './check-conversation.ts'
import type { SaidOptions } from './conversation-fields.ts'
import type { Expected } from './expected-message.ts'

/**
 * Asserts that the agent sent a message: exactly one must match, unless `times` is set.
 *
 * @param talk - The conversation.
 * @param expected - The text, a regular expression, or fields.
 * @param options - The expected number of matching messages.
 * @returns The message; the first one if several match.
 * @throws AssertionError - No message matches, or too many do.
 * @throws TypeError - A field is unknown, or the conversation was not awaited.
 * @example
 * assertSaid(talk, /refunded/)
 */
export function assertSaid(talk: ConversationReport, expected?: ExpectedSaid, options?: SaidOptions): SaidMessage {
  return demand(checkSaid(talk, options, { expected }), 'to have said it')
}

/**
 * Asserts that the agent asked a question.
 *
 * @param talk - The conversation.
 * @param id - The id of the question.
 * @param expected - The expected fields of the question.
 * @returns The question.
 * @throws AssertionError - The question was not asked.
 * @throws TypeError - A field is unknown, or the conversation was not awaited.
 * @example
 * const { value } = assertAsked(talk, 'refund', { type: 'approval' })
 */
export function assertAsked(talk: ConversationReport, id: string, expected?: Expected<AskedQuestion>): AskedQuestion {
  return demand(checkAsked(talk, id, { expected }), `to have asked "${id}"`)
}

/**
 * Asserts that the agent ended the conversation.
 *
 * @param talk - The conversation.
 * @param summary - The summary, or a pattern for it.
 * @throws AssertionError - The agent did not end it, or the summary differs.
 * @throws TypeError - The conversation was not awaited.
 * @example
 * assertResolved(talk, /refunded/)
 */
export function assertResolved(talk: ConversationReport, summary?: string | RegExp): void {
  demand(checkResolved(talk, { expected: summary }), 'to have resolved the conversation')
}

function demand<TFound>(
  { pass, finding, fits }: { readonly pass: boolean; readonly finding: string; readonly fits: readonly TFound[] },
  wish: string,
): TFound {
  const [first] = fits
  if (pass && first !== undefined) return first
  throw new AssertionError({
    message: `The agent was expected ${wish}, but ${finding}.`,
    operator: 'assertConversation',
  })
}

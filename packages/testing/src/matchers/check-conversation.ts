import type { AskedQuestion, ConversationReport, SaidMessage } from '../report/conversation-report.ts'
import { type Equals, findMismatch } from '../report/mismatch.ts'
import { printValue } from '../report/print-value.ts'
import { requireConversation } from '../report/require-conversation.ts'
import type { SaidOptions } from './conversation-fields.ts'
import { checkExpectedAsked, checkExpectedSaid, checkExpectedSummary, toTimes } from './conversation-fields.ts'
import type { Expected } from './expected-message.ts'

/** What is expected of a message: its text or Markdown, or fields of it. */
export type ExpectedSaid = string | RegExp | Expected<Pick<SaidMessage, 'text' | 'markdown' | 'card' | 'files'>>

/** What is expected of a question. */
export interface Expectations {
  /** The value that is expected. */
  readonly expected?: unknown
  /** The comparison of the test runner, for its own matchers. */
  readonly equals?: Equals | undefined
  /** Whether the opposite is expected. */
  readonly isNot?: boolean | undefined
}

/** Whether a conversation is as expected, and what to say when it is not. */
export interface ConversationVerdict<TFound> {
  readonly pass: boolean
  /** A sentence that says what was found. */
  readonly found: string
  readonly fits: readonly TFound[]
}

/**
 * Checks whether the agent said something: exactly one message fits, or as many as asked for; with `not`, none. Messages
 * that were deleted do not count.
 *
 * @param expectation - What is expected; without it any message fits.
 * @throws TypeError - It is not a conversation, or there is no such field or option.
 */
export function checkSaid(
  given: unknown,
  options: SaidOptions | undefined,
  { expected, equals, isNot }: Expectations,
): ConversationVerdict<SaidMessage> {
  const report = requireConversation(given)
  checkExpectedSaid(expected)
  const times = toTimes(options, isNot === true)
  const fits = report.said.filter((message) => !message.deleted && fitsMessage(message, expected, equals))
  const pass = isNot ? fits.length > 0 : fits.length === times
  return { pass, fits, found: `${fits.length} of its messages match; ${describe(report)}` }
}

function fitsMessage(message: SaidMessage, expected: unknown, equals: Equals | undefined): boolean {
  if (expected === undefined) return true
  const isText = typeof expected === 'string' || Object.prototype.toString.call(expected) === '[object RegExp]'
  if (!isText) return !findMismatch(message, expected, equals)
  const texts = [message.text, message.markdown].filter((text) => text !== undefined)
  return texts.some((text) => !findMismatch(text, expected, equals))
}

/**
 * Checks whether the agent asked a question.
 *
 * @param expectation - What is expected of its fields.
 * @throws TypeError - It is not a conversation, or there is no such action, field or type of a question.
 */
export function checkAsked(
  given: unknown,
  id: string,
  { expected, equals }: Expectations,
): ConversationVerdict<AskedQuestion> {
  const report = requireConversation(given)
  checkExpectedAsked(report, id, expected)
  const fits = report.asked.filter(
    (question) => question.id === id && (expected === undefined || !findMismatch(question, expected, equals)),
  )
  return { pass: fits.length > 0, fits, found: describe(report) }
}

/**
 * Checks whether the agent ended the conversation.
 *
 * @param expectation - What is expected of the summary.
 * @throws TypeError - It is not a conversation, or a summary is no text.
 */
export function checkResolved(
  given: unknown,
  { expected, equals }: Expectations,
): ConversationVerdict<{ readonly summary?: string }> {
  const report = requireConversation(given)
  checkExpectedSummary(expected)
  const { resolved } = report
  const pass = resolved !== undefined && (expected === undefined || !findMismatch(resolved.summary, expected, equals))
  const how = resolved ? `it is resolved with ${printValue(resolved.summary)}` : 'it is not resolved'
  return { pass, fits: resolved ? [resolved] : [], found: `${how}; ${describe(report)}` }
}

/** Describes what happened, for a message. */
function describe({ said, asked, failures }: ConversationReport): string {
  const messages = said
    .filter(({ deleted }) => !deleted)
    .map(({ text, markdown }) => printValue(text ?? markdown ?? 'a card or files'))
  const parts = [
    messages.length === 0 ? 'the agent said nothing' : `the agent said ${messages.join(', ')}`,
    ...asked.map(({ id, type, text }) => `asked "${id}" (${type}) ${printValue(text)}`),
    ...failures.map(({ code }) => `failed with ${code}`),
  ]
  return parts.join(', ')
}

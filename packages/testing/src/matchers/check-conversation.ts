import type { AskedQuestion, ConversationReport, SaidMessage } from '../report/conversation-report.ts'
import { type Equals, findMismatch } from '../report/mismatch.ts'
import { printValue } from '../report/print-value.ts'
import { requireConversation } from '../report/require-conversation.ts'
import type { SaidOptions } from './conversation-fields.ts'
import { checkExpectedAsked, checkExpectedSaid, checkExpectedSummary, toTimes } from './conversation-fields.ts'
import type { Expected } from './expected-message.ts'

/** The expected message: its text or Markdown, or fields. */
export type ExpectedSaid = string | RegExp | Expected<Pick<SaidMessage, 'text' | 'markdown' | 'card' | 'files'>>

/** The expected fields of a question. */
export interface Expectations {
  /** The expected value. */
  readonly expected?: unknown
  /** The test runner's comparison, used for its matchers. */
  readonly equals?: Equals | undefined
  /** Whether the expectation is negated. */
  readonly isNot?: boolean | undefined
}

/** The result of checking a conversation, with a message. */
export interface ConversationVerdict<TFound> {
  readonly pass: boolean
  /** A sentence with the actual result. */
  readonly finding: string
  readonly fits: readonly TFound[]
}

/**
 * Checks whether the agent sent a message: exactly one must match, or the given number; with `not`, none may match.
 * Deleted messages do not count.
 *
 * @param expectation - The expected message; any if omitted.
 * @throws TypeError - The value is not a conversation, or a field or option is unknown.
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
  return { pass, fits, finding: `${fits.length} of its messages match; ${describe(report)}` }
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
 * @param expectation - The expected fields.
 * @throws TypeError - The value is not a conversation, or an action, field or question type is unknown.
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
  return { pass: fits.length > 0, fits, finding: describe(report) }
}

/**
 * Checks whether the agent ended the conversation.
 *
 * @param expectation - The expected summary.
 * @throws TypeError - The value is not a conversation, or the summary is not a string.
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
  return { pass, fits: resolved ? [resolved] : [], finding: `${how}; ${describe(report)}` }
}

/** Describes the conversation, for a message. */
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

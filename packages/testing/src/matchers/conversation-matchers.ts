import type { AskedQuestion, ConversationReport } from '../report/conversation-report.ts'
import { checkAsked, checkResolved, checkSaid, type ExpectedSaid } from './check-conversation.ts'
import type { SaidOptions } from './conversation-fields.ts'
import type { Expected } from './expected-message.ts'
import type { MatcherContext, MatcherResult } from './matcher-result.ts'
import { equalsOf } from './matcher-result.ts'

/** Matchers of `expect(conversation)` in every runner; `TReturn` is the type that the runner's matchers return. */
export interface ConversationMatchers<TReturn = void> {
  /**
   * Exactly one message of the agent matches, in its final version; `times` sets a different number. With `not`, no
   * message matches.
   */
  toHaveSaid(expected?: ExpectedSaid, options?: SaidOptions): TReturn
  /** The agent asked the question with this id and these fields. */
  toHaveAsked(id: string, expected?: Expected<AskedQuestion>): TReturn
  /** The agent ended the conversation, with this summary. */
  toHaveBeenResolved(summary?: string | RegExp): TReturn
}

/** The matchers for conversations, for `expect.extend`; also included in `matchers`. */
export const conversationMatchers: {
  /** Whether exactly one message of the agent matches, or `times` messages. */
  readonly toHaveSaid: (
    this: MatcherContext,
    talk: ConversationReport,
    ...message: readonly [expected?: ExpectedSaid, options?: SaidOptions]
  ) => MatcherResult
  /** Whether the agent asked the question. */
  readonly toHaveAsked: (
    this: MatcherContext,
    talk: ConversationReport,
    id: string,
    expected?: Expected<AskedQuestion>,
  ) => MatcherResult
  /** Whether the agent ended the conversation. */
  readonly toHaveBeenResolved: (
    this: MatcherContext,
    talk: ConversationReport,
    summary?: string | RegExp,
  ) => MatcherResult
} = {
  toHaveSaid(talk, ...[expected, options]) {
    const verdict = checkSaid(talk, options, { expected, equals: equalsOf(this), isNot: this?.isNot })
    return toResult(verdict, 'to have said it')
  },
  toHaveAsked(talk, id, expected) {
    return toResult(checkAsked(talk, id, { expected, equals: equalsOf(this) }), `to have asked "${id}"`)
  },
  toHaveBeenResolved(talk, expected) {
    return toResult(checkResolved(talk, { expected, equals: equalsOf(this) }), 'to have resolved the conversation')
  },
}

function toResult(
  { pass, finding }: { readonly pass: boolean; readonly finding: string },
  wish: string,
): MatcherResult {
  return { pass, message: () => `The agent was expected ${pass ? 'not ' : ''}${wish}, but ${finding}.` }
}

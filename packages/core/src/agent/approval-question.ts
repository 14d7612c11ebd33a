import type { JsonObject } from '@trestle/protocol'
import { fitMessages } from './fit-messages.ts'
import { replyLimits } from './reply-limits.ts'
import type { ToolApproval } from './tool-approval.ts'

/** A tool call that is waiting for approval. */
export interface WaitingToolCall {
  /** The name of the tool. */
  readonly toolName: string
  /** The arguments that the model chose. */
  readonly input: unknown
}

/**
 * Returns the question text for tool calls: their names with the full input, because people must see what they approve.
 * It never exceeds the text limit: the calls are also stored in the question's value, which has a lower limit.
 */
export function describeCalls(calls: readonly WaitingToolCall[]): string {
  const callTexts = calls.map(({ toolName, input }) => escapeHidden(`${toolName} ${JSON.stringify(input ?? {})}`))
  return `May I run ${callTexts.join(' and ')}?`
}

/**
 * Invisible characters, and characters that change how others are displayed: direction marks, zero-width characters,
 * line ends.
 */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\u115f\u1160\u2800\u3164\uffa0]/gu

/**
 * Makes invisible characters visible, because the model chooses the input and may copy text that it read. The displayed
 * input must be the approved one.
 */
const escapeHidden = (text: string): string =>
  text.replaceAll(hidden, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  )

/**
 * Returns the value of a tool approval question, with as many messages as fit.
 *
 * @param messages - All messages as JSON; the model's last one contains the calls.
 * @throws TypeError - The messages needed for the calls are too long.
 */
export function toApprovalValue(approvalIds: readonly string[], messages: readonly JsonObject[]): ToolApproval {
  const room = replyLimits.value - JSON.stringify({ approvalIds, messages: [] }).length
  return { approvalIds: [...approvalIds], messages: fitMessages(messages, room) }
}

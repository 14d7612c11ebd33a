import { escapeHidden } from '@trestle/html/escape'
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
 *
 * @throws TypeError - The text is too long.
 */
export function describeCalls(calls: readonly WaitingToolCall[]): string {
  // The model chooses the input and may copy text that it read. The displayed input must be the approved one.
  const callTexts = calls.map(({ toolName, input }) => escapeHidden(`${toolName} ${JSON.stringify(input ?? {})}`))
  const text = `May I run ${callTexts.join(' and ')}?`
  if (text.length > replyLimits.text)
    throw new TypeError(
      `replyFrom(): the question for the approval may have at most ${replyLimits.text} characters; the tool calls make ` +
        `it ${text.length}. Let tools take less data.`,
    )
  return text
}

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

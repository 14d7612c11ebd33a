import type { JsonObject } from '@trestle/protocol'
import { fitMessages } from './fit-messages.ts'
import { replyLimits } from './reply-limits.ts'
import type { ToolApproval } from './tool-approval.ts'

/** A call of a tool that waits for an approval. */
export interface WaitingToolCall {
  /** The name of the tool. */
  readonly toolName: string
  /** What it is called with. */
  readonly input: unknown
}

/**
 * Returns the question for calls of tools: their names, with all that they are called with, since nobody approves what
 * they do not see. It is never too long: the calls travel in the value of the question, which is shorter than a text.
 *
 * @param calls - The calls.
 */
export function describeCalls(calls: readonly WaitingToolCall[]): string {
  const shown = calls.map(({ toolName, input }) => `${toolName} ${JSON.stringify(input ?? {})}`)
  return `May I run ${shown.join(' and ')}?`
}

/**
 * Returns the value of a question for tools: as many of the messages as it may hold.
 *
 * @param approvalIds - The ids of the approvals.
 * @param messages - All messages, as JSON carries them; the last of the model holds the calls.
 * @throws TypeError - What the calls need is too long.
 */
export function toApprovalValue(approvalIds: readonly string[], messages: readonly JsonObject[]): ToolApproval {
  const room = replyLimits.value - JSON.stringify({ approvalIds, messages: [] }).length
  return { approvalIds: [...approvalIds], messages: fitMessages(messages, room) }
}

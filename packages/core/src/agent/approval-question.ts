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
  const shown = calls.map(({ toolName, input }) => escapeHidden(`${toolName} ${JSON.stringify(input ?? {})}`))
  return `May I run ${shown.join(' and ')}?`
}

/** Characters that are not seen, or that change how others are read: marks of direction, of no width, line ends. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\u115f\u1160\u2800\u3164\uffa0]/gu

/** The model chooses the input, so a text that it read may choose it: what is approved must be what is seen. */
const escapeHidden = (text: string): string =>
  text.replaceAll(hidden, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  )

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

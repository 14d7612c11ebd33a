import type { AgentAnswer, JsonObject } from '@trestle/protocol'

/** The value of a tool approval question, returned with its answer. */
export interface ToolApproval {
  /** The approval ids of the AI SDK. */
  readonly approvalIds: string[]
  /** The messages up to the approvals. */
  readonly messages: JsonObject[]
}

/** The action that handles answers to tool approval questions: `actions: { toolApproval }`. */
export const toolApproval: {
  readonly schema: {
    readonly type: 'object'
    readonly properties: {
      readonly approvalIds: { readonly type: 'array'; readonly items: { readonly type: 'string' } }
      readonly messages: { readonly type: 'array'; readonly items: { readonly type: 'object' } }
    }
    readonly required: readonly ['approvalIds', 'messages']
    readonly additionalProperties: false
  }
} = Object.freeze({
  schema: {
    type: 'object',
    properties: {
      approvalIds: { type: 'array', items: { type: 'string' } },
      messages: { type: 'array', items: { type: 'object' } },
    },
    required: ['approvalIds', 'messages'],
    additionalProperties: false,
  },
} as const)

/**
 * Returns the messages with which to continue the model call after a user has answered an approval.
 *
 * @param action - The action `toolApproval`.
 * @throws TypeError - The action does not answer a question.
 * @example
 * const messages = toApprovedMessages(action)
 * await replyFrom(context, streamText({ model, tools, messages }), { messages })
 */
export function toApprovedMessages(action: {
  readonly value: { readonly approvalIds: readonly string[]; readonly messages: readonly object[] }
  readonly answer?: AgentAnswer | undefined
}): JsonObject[] {
  const { answer, value } = action
  if (answer?.type !== 'approval')
    throw new TypeError('toApprovedMessages(): the action is not the answer to an approval.')
  const { approved, note } = answer
  const content = value.approvalIds.map((approvalId) => ({
    ...{ type: 'tool-approval-response', approvalId, approved },
    ...(note !== undefined && { reason: note }),
  }))
  return [...(value.messages as JsonObject[]), { role: 'tool', content }]
}

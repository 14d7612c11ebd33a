export type { WaitingToolCall } from './agent/approval-question.ts'
export { type ModelTextMessage, type ReadMessage, toModelMessages } from './agent/model-messages.ts'
export {
  type ModelResult,
  type ReplyFromContext,
  type ReplyFromOptions,
  replyFrom,
} from './agent/reply-from.ts'
export { type ToolApproval, toApprovedMessages, toolApproval } from './agent/tool-approval.ts'

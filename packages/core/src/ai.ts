export { type ModelTextMessage, toModelMessages } from './agent/model-messages.ts'
export {
  type ModelResult,
  type ReplyFromContext,
  type ReplyFromOptions,
  replyFrom,
  type WaitingToolCall,
} from './agent/reply-from.ts'
export { type ToolApproval, toApprovedMessages, toolApproval } from './agent/tool-approval.ts'

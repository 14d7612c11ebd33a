export type {
  AgentAction,
  AgentAnswer,
  AgentAttachment,
  AgentAuthor,
  AgentConversation,
  AgentHistoryEntry,
  AgentMessage,
  AgentNotification,
  AgentReaction,
} from '@trestle/protocol'
export type { ActionId, ActionInput, ActionOf, ActionOptions, ActionTable, ActionValue } from './agent/action-types.ts'
export { type AgentOptions, agent } from './agent/agent.ts'
export type {
  ActionContext,
  AgentContext,
  AgentTrigger,
  ApproveQuestion,
  AskQuestion,
  ChooseQuestion,
  MessageContext,
  ReactionContext,
} from './agent/agent-context.ts'
export type { AgentDefinition } from './agent/agent-definition.ts'
export type { Reply, ReplyContent, ReplyFile, ReplyOptions, SentMessage, SentQuestion } from './agent/reply-content.ts'

export { type Action, actionMethods, bridgeMethods, isAction } from './action.ts'
export { parseUrl } from './address.ts'
export {
  type AgentAction,
  type AgentAnswer,
  type AgentAttachment,
  type AgentAuthor,
  type AgentConversation,
  type AgentEvent,
  type AgentEventName,
  type AgentHistoryEntry,
  type AgentMessage,
  type AgentNotification,
  type AgentReaction,
  agentEventNames,
} from './agent-event.ts'
export type {
  AgentContent,
  AgentFile,
  AgentQuestion,
  AgentReply,
  AgentReplyAction,
  AgentReplyResult,
} from './agent-reply.ts'
export {
  CodedError,
  type CodedErrorRest,
  type DataOf,
  type ErrorCode,
  type ErrorData,
  errorStatuses,
  isCodedError,
  type StackData,
} from './error.ts'
export {
  type ExecuteEvent,
  type JsonObject,
  type JsonValue,
  type StepState,
  type StepType,
  type Subscriber,
  stepTypes,
  type TriggerEvent,
} from './event.ts'
export { createHmac, type Hmac } from './hmac.ts'
export { type Issue, maxIssues, toPointer } from './issue.ts'
export type {
  DiscoverReply,
  ErrorReply,
  HealthReply,
  PreferencesManifest,
  ProviderManifest,
  RemovedHtml,
  SchemaPart,
  StepManifest,
  StepReply,
  StepReplyMetadata,
  WorkflowManifest,
} from './result.ts'
export {
  checkMac,
  findMacs,
  type MacOptions,
  type ParsedSignature,
  parseSignature,
  type SignatureOptions,
  sign,
  signatureHeader,
  signatureWindowMs,
  verifyTimestamp,
} from './signature.ts'
export { protocolVersion } from './version.ts'
export { type Warning, type WarningCode, warningCodes } from './warning.ts'

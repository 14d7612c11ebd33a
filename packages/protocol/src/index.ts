export { type Action, actionMethods, bridgeMethods, isAction } from './action.ts'
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
export { toBodyError } from './body-error.ts'
export {
  CodedError,
  type CodedErrorRest,
  type DataOf,
  type ErrorCode,
  type ErrorData,
  errorStatuses,
  isCodedError,
  type RetryData,
  type StackData,
  type StepData,
  type StepIssuesData,
} from './error.ts'
export type {
  ExecuteEvent,
  NextEvent,
  StepState,
  Subscriber,
  TakenStep,
  TriggerEvent,
} from './event.ts'
export { createHmac, type Hmac } from './hmac.ts'
export { isWebAddress, parseUrl } from './http/address.ts'
export { type BodyBuffer, type BodyLimit, createBodyBuffer } from './http/body-buffer.ts'
export { type SendingLimits, toChecks, whileSending } from './http/while-sending.ts'
export { type Issue, maxIssues } from './json/issue.ts'
export { isObject, type JsonObject, type JsonValue, parseJson, setOwn } from './json/json-object.ts'
export {
  decodePercent,
  findPath,
  findPointer,
  findReference,
  joinPath,
  splitPointer,
  toPointer,
} from './json/json-pointer.ts'
export { schemaDataKeywords, schemaKeywords, schemaListKeywords, schemaMapKeywords } from './json/schema-keywords.ts'
export { nearest } from './nearest.ts'
export {
  type CancelOn,
  type Capability,
  capabilities,
  type DiscoverReply,
  type DoneReply,
  type ErrorReply,
  type HealthReply,
  type NextReply,
  type NextStepReply,
  type OpenStep,
  type OpenStepsReply,
  type PreferencesManifest,
  type ProviderManifest,
  type RemovedHtml,
  type SchemaPart,
  type StepDescription,
  type StepManifest,
  type StepReply,
  type StepReplyMetadata,
  type WorkflowManifest,
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
  toHex,
  verifyTimestamp,
} from './signature.ts'
export {
  isOfClass,
  isStepType,
  type MessageType,
  messageTypes,
  type StepClass,
  type StepName,
  type StepType,
  type StepTypeOf,
  stepClasses,
  stepTypes,
  toStepName,
} from './step-kinds.ts'
export { protocolVersion } from './version.ts'
export { type Warning, type WarningCode, warningCodes } from './warning.ts'

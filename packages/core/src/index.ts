export { escapeHtml } from '@trestle/html/escape'
export { CodedError, type DataOf, type ErrorCode, isCodedError } from '@trestle/protocol'
export type { BridgeOptions, LogDetails, Logger, NonceStore, TurnLimits, WaitUntil } from './bridge/bridge-options.ts'
export type { CallInfo, CallReport, Hooks, RefusalReport, SignatureCode, StepReport } from './bridge/hooks.ts'
export type { BridgeCall, BridgeReply, ReceivedBody } from './call/bridge-call.ts'
export { createNonceStore } from './call/nonce-store.ts'
export type { ServicePreset, VariableNames } from './config/service-preset.ts'
export { type Bridge, createBridge } from './http/create-bridge.ts'
export type { FetchPlatform } from './http/fetch.ts'
export { type NodeHandler, type NodePlatform, type NodeResponse, toNodeHandler } from './http/node.ts'
export type { NodeRequest } from './http/node-body.ts'
export type { InputOf, NoSchema, OutputOf, Schema } from './schema/schema-types.ts'
export type { StandardSchema } from './schema/vendors/standard-schema.ts'
export { type EventRequest, emitEvent } from './trigger/emit-event.ts'
export type { Triggered, TriggerOptions, TriggerRequest } from './trigger/trigger-workflow.ts'
export type { CancelOn } from './workflow/cancel-on.ts'
export type {
  Card,
  CardActions,
  CardButton,
  CardChild,
  CardDivider,
  CardField,
  CardFields,
  CardImage,
  CardLink,
  CardLinkButton,
  CardOption,
  CardSection,
  CardSelect,
  CardTable,
  CardText,
} from './workflow/cards/card.ts'
export {
  actions,
  button,
  card,
  divider,
  fields,
  image,
  link,
  linkButton,
  radioSelect,
  section,
  select,
  table,
  text,
} from './workflow/cards/card-builders.ts'
export { cron } from './workflow/cron.ts'
export {
  isFromWorkflow,
  type MessageOf,
  type PayloadOf,
  type WorkflowMessage,
} from './workflow/is-from-workflow.ts'
export type { ChatOutput } from './workflow/kinds/chat.ts'
export type { EmailOutput } from './workflow/kinds/email.ts'
export type { InAppAction, InAppOutput, InAppResult, Redirect } from './workflow/kinds/in-app.ts'
export type { OutcomeOf } from './workflow/kinds/outcome.ts'
export type { PushOutput } from './workflow/kinds/push.ts'
export type { Backoff, RetryOptions } from './workflow/kinds/retries.ts'
export type { HandlerContext, ResultOf, SkipContext, StepContext } from './workflow/kinds/signature.ts'
export type { TextOutput } from './workflow/kinds/sms.ts'
export type { TriggerTarget } from './workflow/kinds/target.ts'
export type { DelayOutput, DelayResult } from './workflow/kinds/timing/delay.ts'
export type { DigestEvent, DigestOutput, DigestResult } from './workflow/kinds/timing/digest.ts'
export type { ThrottleOutput, ThrottleResult } from './workflow/kinds/timing/throttle.ts'
export type { TimeUnit } from './workflow/kinds/timing/time.ts'
export type { EventResult, EventWaitOutput } from './workflow/kinds/timing/wait-for-event.ts'
export type { AwaitedTriggerResult, ChildRun, TriggerOutput, TriggerStepResult } from './workflow/kinds/trigger.ts'
export type { Preferences } from './workflow/preferences.ts'
export { providerIds } from './workflow/providers/provider-ids.ts'
export type {
  Passthrough,
  ProviderFields,
  ProviderId,
  ProviderOutput,
  ProviderOverrides,
} from './workflow/providers/provider-overrides.ts'
export type { Step, StepKind } from './workflow/steps/step-kinds.ts'
export {
  type Workflow,
  type WorkflowContext,
  type WorkflowDefinition,
  type WorkflowOptions,
  type WorkflowSample,
  workflow,
} from './workflow/workflow.ts'

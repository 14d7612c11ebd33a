export { type Bridge, createBridge } from './bridge.ts'
export type { BridgeOptions, CallReport, Hooks, Logger, NonceStore } from './bridge-options.ts'
export type { BridgeCall, BridgeReply, ReceivedBody } from './call/bridge-call.ts'
export { createNonceStore } from './call/nonce-store.ts'
export { escapeHtml } from './content/escape-html.ts'
export { sanitizeHtml } from './content/sanitize-html.ts'
export type { FetchPlatform } from './fetch.ts'
export { type NodeHandler, type NodePlatform, type NodeResponse, toNodeHandler } from './node.ts'
export type { NodeRequest } from './node-body.ts'
export type { InputOf, NoSchema, OutputOf, Schema } from './schema/schema-types.ts'
export type { StandardSchema } from './schema/standard-schema.ts'
export type { Triggered, TriggerOptions, TriggerRequest } from './trigger/trigger-workflow.ts'
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
} from './workflow/card.ts'
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
} from './workflow/card-builders.ts'
export type {
  ChatOutput,
  EmailOutput,
  InAppAction,
  InAppOutput,
  InAppResult,
  PushOutput,
  Redirect,
  TextOutput,
} from './workflow/content.ts'
export { cron } from './workflow/cron.ts'
export {
  isFromWorkflow,
  type MessageOf,
  type PayloadOf,
  type WorkflowMessage,
} from './workflow/is-from-workflow.ts'
export type { StepKind } from './workflow/kind.ts'
export type { Preferences } from './workflow/preferences.ts'
export { providerIds } from './workflow/provider-ids.ts'
export type {
  Passthrough,
  ProviderFields,
  ProviderId,
  ProviderOutput,
  ProviderOverrides,
} from './workflow/provider-overrides.ts'
export type { HandlerContext, ResultOf, SkipContext, Step, StepContext } from './workflow/step.ts'
export type {
  DelayOutput,
  DelayResult,
  DigestEvent,
  DigestOutput,
  DigestResult,
  ThrottleOutput,
  ThrottleResult,
  TimeUnit,
} from './workflow/timing.ts'
export {
  type Workflow,
  type WorkflowContext,
  type WorkflowDefinition,
  type WorkflowOptions,
  workflow,
} from './workflow/workflow.ts'

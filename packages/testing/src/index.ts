export {
  type CallDescription,
  type SignedRequest,
  type SigningOptions,
  signedRequest,
} from './bridge/signed-request.ts'
export { lifecycleEngine } from './conformance/lifecycle-engine.ts'
export { type NetworkPolicy, NetworkRefusedError } from './context/network-policy.ts'
export type {
  ChildOptions,
  EmittedEvent,
  EventOptions,
  FurtherTrigger,
  ReplayPolicy,
  RunArguments,
  RunOptions,
  StepCallOptions,
  TestContextOptions,
  TimedEvent,
} from './context/run-options.ts'
export { type Failure, failure, result, type StepStub, type StepStubFunction } from './context/step-stub.ts'
export type { ConversationTurn } from './conversation/conversation-turn.ts'
export type { ConverseOptions } from './conversation/converse.ts'
export { assertAsked, assertResolved, assertSaid } from './matchers/assert-conversation.ts'
export {
  type AssertedMessage,
  assertCompleted,
  assertFailed,
  assertNotSent,
  assertSent,
  assertSentOnly,
  assertSkipped,
} from './matchers/assert-report.ts'
export type { ExpectedSaid } from './matchers/check-conversation.ts'
export type { SaidOptions } from './matchers/conversation-fields.ts'
export type { ConversationMatchers } from './matchers/conversation-matchers.ts'
export type {
  Channel,
  Expected,
  ExpectedMessage,
  MessageOptions,
  OutputsOf,
  SentOptions,
} from './matchers/expected-message.ts'
export type { MatcherContext, MatcherResult } from './matchers/matcher-result.ts'
export { matchers } from './matchers/matchers.ts'
export type { RunMatchers } from './matchers/run-matchers.ts'
export type {
  AskedQuestion,
  ConversationReport,
  SaidMessage,
  TriggeredWorkflow,
  TurnReport,
} from './report/conversation-report.ts'
export { type StepContent, toContent } from './report/rendered-content.ts'
export type {
  ChildReport,
  OutputsByType,
  PlayedService,
  RunReport,
  StepFailure,
  StepReport,
  StepStatus,
} from './report/run-report.ts'
export type { Time } from './report/time.ts'
export { type Difference, NotRepeatableError, RepeatedRequestError } from './simulator/calls/check-determinism.ts'
export { type TestBridge, type TestBridgeOptions, testBridge } from './simulator/test-bridge.ts'

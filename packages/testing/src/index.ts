export {
  type CallDescription,
  type SignedRequest,
  type SigningOptions,
  signedRequest,
} from './bridge/signed-request.ts'
export { lifecycleEngine } from './conformance/lifecycle-engine.ts'
export { type NetworkPolicy, NetworkRefusedError } from './context/network-policy.ts'
export type {
  EventOptions,
  FurtherTrigger,
  RunArguments,
  RunOptions,
  SceneOptions,
  Time,
} from './context/run-options.ts'
export { type Double, type DoubleFunction, type Failure, failure, result } from './context/step-stub.ts'
export { assertCompleted, assertFailed, assertNotSent, assertSent, assertSkipped } from './report/assert-report.ts'
export type { Channel, Expected, OutputsOf } from './report/check-report.ts'
export { type MatcherContext, type MatcherResult, matchers } from './report/matchers.ts'
export { type StepContent, toContent } from './report/rendered-content.ts'
export type { OutputsByType, RunReport, StepFailure, StepReport, StepStatus } from './report/run-report.ts'
export { NotRepeatableError } from './simulator/check-determinism.ts'
export { type StepCallOptions, type TestBridge, type TestBridgeOptions, testBridge } from './simulator/test-bridge.ts'

export {
  type AgentCall,
  type BridgeCallOptions,
  type BridgeClient,
  createBridgeClient,
  type StepCall,
} from './client.ts'
export type { Connect } from './connection.ts'
export { BridgeClientError, type BridgeClientErrorRest, type FailureCause } from './error.ts'
export { type Failure, type FailureCode, failures } from './failure.ts'
export type { BridgeClientOptions, BridgeLogger } from './options.ts'
export {
  createOutbound,
  type Outbound,
  type OutboundOptions,
  type OutboundReply,
  type OutboundRequest,
} from './outbound.ts'
export { OutboundError } from './outbound-error.ts'
export { retryDelaysMs } from './retry.ts'
export { BridgeSyncError } from './sync.ts'
export type { Lookup } from './target.ts'

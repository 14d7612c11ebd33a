export {
  type AgentCall,
  type BridgeCallOptions,
  type BridgeClient,
  createBridgeClient,
  type RunCall,
  type StepCall,
} from './client/client.ts'
export { continuesDiscovery, retryDelaysMs } from './client/retry.ts'
export { BridgeSyncError } from './client/sync.ts'
export { createLookup, type Lookup, type LookupOptions } from './dns/lookup.ts'
export {
  createRecordLookup,
  type DnsRecords,
  isMissingRecord,
  type RecordLookup,
  type RecordLookupOptions,
} from './dns/record-lookup.ts'
export { BridgeClientError, type BridgeClientErrorRest, type FailureCause } from './failure/error.ts'
export { type Failure, type FailureCode, failures, isRetriedCode } from './failure/failure.ts'
export type { BridgeClientOptions, BridgeLogger, Endpoint } from './options/options.ts'
export type { NetworkOptions } from './options/resolve-network.ts'
export { toSignatureHeaders } from './options/signature-headers.ts'
export {
  createOutbound,
  type Outbound,
  type OutboundOptions,
  type OutboundReply,
  type OutboundRequest,
} from './outbound/outbound.ts'
export { OutboundError, type OutboundErrorRest } from './outbound/outbound-error.ts'
export { toPlainAddress } from './policy/ip-address.ts'
export { createRangeSet, type RangeSet } from './policy/range.ts'
export type { TraceHeaders } from './transport/bridge-call.ts'
export {
  type ConnectionPool,
  type ConnectionPoolOptions,
  createConnectionPool,
  type SuitableConnections,
} from './transport/connection-pool.ts'
export type { Connect } from './transport/first-connection.ts'

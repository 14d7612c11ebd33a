import { bridgeMethods, CodedError } from '@trestle/protocol'
import { createTextCache } from '../base/text-cache.ts'
import type { BridgeCall } from './bridge-call.ts'
import { queryValues } from './query-values.ts'

/** The query of a call; the first value of a repeated parameter counts, for every use. */
export interface CallQuery {
  /** The action; `health-check` if it is missing or empty. */
  readonly action: string
  readonly workflowId: string | undefined
  readonly stepId: string | undefined
  readonly agentId: string | undefined
  readonly event: string | undefined
}

/** A call with a method that a bridge accepts. */
export interface AdmittedCall {
  readonly method: 'GET' | 'POST' | 'OPTIONS'
  readonly query: CallQuery
  readonly call: BridgeCall
}

// Calls of one step have the same query.
const queries = createTextCache<CallQuery>()
const maxKeptLength = 500

/**
 * Lets a call in by its method, and reads its query.
 *
 * @throws CodedError - `MethodNotAllowedError`.
 * @source service-api.md#errors-of-the-bridge, bridge-protocol.md#order-of-checks
 */
export function admit(call: BridgeCall): AdmittedCall {
  const { method } = call
  if (method !== 'GET' && method !== 'POST' && method !== 'OPTIONS')
    throw new CodedError(
      'MethodNotAllowedError',
      `A bridge accepts ${bridgeMethods.join(', ')}; this call was ${String(method).slice(0, 20)}.`,
    )
  return { method, query: readQuery(call.url), call }
}

function readQuery(url: string): CallQuery {
  // Host and path are ignored, because the caller chooses them.
  const start = url.indexOf('?')
  const end = url.indexOf('#')
  const text = start < 0 ? '' : url.slice(start + 1, end < start ? undefined : end)
  // A short slice may keep the whole string in memory.
  return url.length > maxKeptLength ? parseQuery(text) : queries.get(text, parseQuery)
}

function parseQuery(text: string): CallQuery {
  const read = queryValues(text)
  return Object.freeze({
    action: read('action') || 'health-check',
    workflowId: read('workflowId'),
    stepId: read('stepId'),
    agentId: read('agentId'),
    event: read('event'),
  })
}

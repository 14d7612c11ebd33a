import { bridgeMethods, CodedError } from '@trestle/protocol'
import { createTextCache } from '../base/text-cache.ts'
import type { BridgeCall } from './bridge-call.ts'
import { queryValues } from './query-values.ts'

/** The query of a call. Of a repeated parameter, only the first value is used. */
export interface CallQuery {
  /** The action; `health-check` if the parameter is missing or empty. */
  readonly action: string
  readonly workflowId: string | undefined
  readonly stepId: string | undefined
  readonly agentId: string | undefined
  readonly event: string | undefined
}

/** A call whose method the bridge accepts. */
export interface AdmittedCall {
  readonly method: 'GET' | 'POST' | 'OPTIONS'
  readonly query: CallQuery
  readonly call: BridgeCall
}

// Calls for the same step have the same query.
const queries = createTextCache<CallQuery>()
const maxKeptLength = 500

/**
 * Checks the method of a call, and reads its query.
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
  // A short slice can keep the whole string in memory.
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

import type { ExecuteEvent, JsonObject, TriggerEvent } from '@trestle/protocol'

/** The body of an `execute` or `preview` call as it was sent; whether the payload is an object is the workflow's to say. */
export type ReceivedEvent = Omit<ExecuteEvent, 'payload'> & {
  readonly payload: unknown
  /** The bytes it was read from: what code makes of the rest may differ by the time it is asked for. */
  readonly body: Uint8Array
}

/** The body of a `trigger` call as it was sent. */
export type ReceivedTrigger = Omit<TriggerEvent, 'payload'> & { readonly payload: unknown }

/** A verified call whose body has the shape of its action. */
export type BridgeEvent =
  | { readonly action: 'health-check' | 'discover' }
  | {
      readonly action: 'execute' | 'preview'
      readonly workflowId: string | undefined
      readonly stepId: string | undefined
      readonly event: ReceivedEvent
    }
  | { readonly action: 'trigger'; readonly workflowId: string | undefined; readonly event: ReceivedTrigger }
  | {
      readonly action: 'agent-event'
      readonly agentId: string | undefined
      readonly event: string | undefined
      readonly body: JsonObject
    }

/** A call for one step. */
export type StepEvent = Extract<BridgeEvent, { readonly action: 'execute' | 'preview' }>

import type { ExecuteEvent, JsonObject, NextEvent, TriggerEvent } from '@trestle/protocol'
import type { WaitUntil } from '../bridge/bridge-options.ts'

/** The body of an `execute` or `preview` call; the workflow checks whether the payload is an object. */
export type ReceivedEvent = Omit<ExecuteEvent, 'payload'> & {
  readonly payload: unknown
  /** The original bytes; user code may have changed the parsed data since. */
  readonly body: Uint8Array
  /** Present if the call follows the run instead of the listed steps. */
  readonly next?: NextFields
}

/** The additional fields of a run-driven call, all present. */
export type NextFields = Required<Pick<NextEvent, 'stepControls' | 'wait' | 'final'>> & {
  /** Ids of the steps that were dispatched and have no result yet. */
  readonly taken: ReadonlySet<string>
  /** Ids of the steps whose manifests the service lacks. */
  readonly describe: ReadonlySet<string>
}

/** The body of a `trigger` call, as sent. */
export type ReceivedTrigger = Omit<TriggerEvent, 'payload'> & { readonly payload: unknown }

/** An event for an agent; its body is a JSON object whose shape is not checked yet. */
export interface ReceivedAgentEvent {
  readonly action: 'agent-event'
  readonly agentId: string | undefined
  /** The name of the event. */
  readonly event: string | undefined
  readonly body: JsonObject
  /** The length of the body, in bytes. */
  readonly byteLength: number
  /** Whether the call was signed; false if the bridge accepts unsigned calls. */
  readonly signed: boolean
  /** Keeps the runtime awake, if the platform provided a function with the call. */
  readonly waitUntil: WaitUntil | undefined
}

/** A verified call whose body has the shape that its action requires. */
export type BridgeEvent =
  | { readonly action: 'health-check' | 'discover' }
  | {
      readonly action: 'execute' | 'preview'
      readonly workflowId: string | undefined
      readonly stepId: string | undefined
      readonly event: ReceivedEvent
    }
  | { readonly action: 'trigger'; readonly workflowId: string | undefined; readonly event: ReceivedTrigger }
  | ReceivedAgentEvent

/** A call for one step. */
export type StepEvent = Extract<BridgeEvent, { readonly action: 'execute' | 'preview' }>

import type { JsonObject } from './json/json-object.ts'
import type { StepType } from './step-kinds.ts'
import type { Warning } from './warning.ts'

/** The 200 body of `execute` and `preview`. */
export interface StepReply {
  /** The step's output; `{}` if it was skipped. */
  readonly outputs: JsonObject
  /** Overrides by provider id. */
  readonly providers: JsonObject
  /** `skip` is true if the step must not be sent. */
  readonly options: { readonly skip: boolean }
  /** The metadata of the call. */
  readonly metadata: StepReplyMetadata
}

/** Metadata of a call that ran or previewed a step. */
export interface StepReplyMetadata {
  /** Always `success`; failures have a different reply. */
  readonly status: 'success'
  /** Always false; failures have a different reply. */
  readonly error: false
  /** How long the run took, in milliseconds. */
  readonly duration: number
  /** Warnings about this run for the app's developers; absent if there are none. */
  readonly warnings?: readonly Warning[]
  /** In a preview, the first 50 parts removed from the step's HTML; absent if nothing was removed. */
  readonly removed?: readonly RemovedHtml[]
  /**
   * Set if the step was not reached, as opposed to skipped by its own `skip`. A run-driven service then stores no
   * result, because a later call may reach the step.
   */
  readonly reached?: false
  /**
   * Steps that the run has called and that have no result, except the requested one. At most 50; absent if there are
   * none.
   */
  readonly open?: readonly OpenStep[]
  /**
   * The failed steps whose failure the function receives as a result, in a call of a run-driven service; absent if there
   * are none. They do not fail the run if this step, a throttle, ends it.
   */
  readonly handled?: readonly string[]
  /** The manifests requested with `describe`; absent if the run has called none of them. */
  readonly steps?: readonly StepDescription[]
  /**
   * Set if the run is done once this step has completed, in a reply to a call with `final`.
   *
   * @source bridge-protocol.md#the-final-step
   */
  readonly final?: true
}

/** A step that a run has called and that has no result yet. */
export interface OpenStep {
  /** The step's id, unique in its run. */
  readonly stepId: string
  /** The step kind. */
  readonly type: StepType
}

/** The 200 body of `execute` with `next` and without a step id. */
export type NextReply = NextStepReply | OpenStepsReply | DoneReply

/** The only open step of a run, executed in this call. */
export interface NextStepReply extends StepReply {
  readonly step: OpenStep
}

/** The open steps of a run, which continues when one of these steps, or of those returned earlier, has a result. */
export interface OpenStepsReply {
  /** The steps to execute by id, in parallel; empty if the run awaits steps that were returned before. */
  readonly open: readonly OpenStep[]
  /** The metadata of the call. */
  readonly metadata: StepReplyMetadata
}

/** The workflow function has returned and no step is open. */
export interface DoneReply {
  /** Identifies this kind of reply. */
  readonly done: true
  /** The failed steps whose failure the function receives as a result; absent if there are none. */
  readonly handled?: readonly string[]
  /** The metadata of the call. */
  readonly metadata: StepReplyMetadata
}

/** Something that was removed from a step's HTML. */
export interface RemovedHtml {
  /** The kind, such as `element`, `attribute`, `url`, `property` or `at-rule`. */
  readonly kind: string
  /** The name: `script`, `onclick`, `behavior`, `@import`. */
  readonly name: string
  /** The line in the HTML as returned by the handler, from 1. */
  readonly line: number
  /** The column in the line, from 1. */
  readonly column: number
}

/** The 200 body of `health-check`. */
export interface HealthReply {
  /** Always `ok`: a bridge that responds is up. */
  readonly status: 'ok'
  /** Version of the framework's package; only in responses to trusted calls. */
  readonly sdkVersion?: string
  /** Version of the protocol; only in responses to trusted calls. */
  readonly frameworkVersion?: string
  /** The number of registered workflows, and the number of their steps discovered so far. */
  readonly discovered?: { readonly workflows: number; readonly steps: number }
}

/** A part of a workflow or step that is described by JSON Schema; `{}` allows anything. */
export interface SchemaPart {
  /** JSON Schema of the input view, draft 2020-12 or 7. */
  readonly schema: JsonObject
}

/** The default preferences of a workflow's recipients, per channel, and whether recipients may change them. */
export interface PreferencesManifest {
  /** The default for every channel. */
  readonly all?: { readonly enabled?: boolean; readonly readOnly?: boolean }
  /** Exceptions by channel. */
  readonly channels?: { readonly [channel: string]: { readonly enabled?: boolean } }
}

/** A provider override, as published by `discover`. */
export interface ProviderManifest {
  /** The provider's id. */
  readonly type: string
  /** The shape of the override. */
  readonly outputs: SchemaPart
  /** Source text of the override; only if the bridge option `exposeCode` is on. */
  readonly code?: string
}

/** A step, as published by `discover`, without its position. */
export interface StepDescription {
  /** The step's id, unique in its workflow. */
  readonly stepId: string
  /** The kind of step. */
  readonly type: StepType
  /** The shape of the step's controls. */
  readonly controls: SchemaPart
  /** The shape of the handler's output. */
  readonly outputs: SchemaPart
  /** The shape of the result for later steps. */
  readonly results: SchemaPart
  /** Provider overrides. */
  readonly providers: readonly ProviderManifest[]
  /** Options that the service needs. */
  readonly options: { readonly disableOutputSanitization: boolean }
  /** Source text of the handler; only if the bridge option `exposeCode` is on. */
  readonly code?: string
}

/** A step, as published by `discover`. */
export interface StepManifest extends StepDescription {
  /** Whether the step is skipped for some payloads or results. */
  readonly conditional: boolean
  /** Steps with the same number were started together; counted from 0. */
  readonly parallelGroup: number
  /**
   * Set if the step is only known from the source text, with its id and kind. Its controls are unknown until a run
   * reaches it.
   */
  readonly reached?: false
}

/** An event that cancels the runs of a workflow. */
export interface CancelOn {
  /** The name of the event, 1 to 255 characters. */
  readonly event: string
  /**
   * For each compared field of the event, the field of the run's payload that must have an equal value: up to 10. A run
   * whose payload lacks the field is not canceled. @default any event of that name
   */
  readonly match?: { readonly [field: string]: string }
}

/** A workflow, as published by `discover`. */
export interface WorkflowManifest {
  /** The workflow's id, unique in its bridge. */
  readonly workflowId: string
  /** The display name. */
  readonly name?: string
  /** The description for display. */
  readonly description?: string
  readonly tags: readonly string[]
  /** How urgent the notification is. */
  readonly severity: 'none' | 'low' | 'medium' | 'high'
  /** The default preferences of recipients. */
  readonly preferences: PreferencesManifest
  /** The events that cancel runs of the workflow: up to 10; absent if there are none. */
  readonly cancelOn?: readonly CancelOn[]
  /** The shape of the payload. */
  readonly payload: SchemaPart
  /** The shape of the workflow's controls. */
  readonly controls: SchemaPart
  /** The shape of the environment's variables. */
  readonly env: SchemaPart
  /** The steps, in execution order. */
  readonly steps: readonly StepManifest[]
  /** Whether the list of steps is complete. @default false */
  readonly complete?: boolean
  /** Warnings about this workflow for the app's developers; can be empty. */
  readonly warnings: readonly Warning[]
  /** Source text of the workflow function; only if the bridge option `exposeCode` is on. */
  readonly code?: string
}

/** The 200 body of `discover`. */
export interface DiscoverReply {
  /** The workflows, in registration order. */
  readonly workflows: readonly WorkflowManifest[]
  /** The agents, in registration order. */
  readonly agents: readonly { readonly agentId: string }[]
  /** Optional capabilities of the bridge. @default none */
  readonly capabilities?: readonly Capability[]
}

const knownCapabilities = ['next'] as const

/** Optional capabilities of a bridge. `next`: run-driven execution. */
export const capabilities: Readonly<typeof knownCapabilities> = Object.freeze(knownCapabilities)

/** One of {@link capabilities}. */
export type Capability = (typeof capabilities)[number]

/** The body of every failure. */
export interface ErrorReply {
  readonly code: string
  /** What is wrong, where, and how to fix it. */
  readonly message: string
  /** Details, with a shape that depends on the code; `null` for codes without details. */
  readonly data: unknown
}

import { type Bridge, type BridgeOptions, createBridge, type Workflow, type WorkflowDefinition } from '@trestle/core'
import { type DiscoverReply, type JsonObject, type StepReply, type StepState, signatureHeader } from '@trestle/protocol'
import { createCaller } from '../bridge/bridge-caller.ts'
import { findManifest } from '../bridge/find-manifest.ts'
import { stageWorkflow } from '../bridge/stub-steps.ts'
import {
  type EventOptions,
  type RunArguments,
  type RunOptions,
  type SceneOptions,
  toMs,
} from '../context/run-options.ts'
import { createScene, type Scene } from '../context/test-context.ts'
import { withPatches } from '../isolation/install-patches.ts'
import type { RunReport } from '../report/run-report.ts'
import { runWorkflow } from './run-workflow.ts'
import { toEvent } from './to-event.ts'

/** Options of a test bridge: those of a bridge, and what every run starts from. */
export interface TestBridgeOptions extends Omit<BridgeOptions, 'secretKey' | 'strictAuthentication'>, SceneOptions {
  /** The workflows. */
  readonly workflows: readonly WorkflowDefinition[]
  /** The key that calls are signed with. @default 'the secret key of the tests' */
  readonly secretKey?: string
  /** Whether runs are repeated for each step; a run can say otherwise. @default 'never' */
  readonly replay?: 'never' | 'every-step'
}

/** What one call of a step is given. */
export interface StepCallOptions<TPayload> extends EventOptions<TPayload> {
  /** Values of the step's controls. */
  readonly controls?: JsonObject
  /** What earlier steps left behind, newest first. */
  readonly state?: readonly StepState[]
}

/** A bridge under test, and the service that calls it. A failure is the bridge's own, a `CodedError`. */
export interface TestBridge {
  /**
   * Runs a workflow from its trigger to its last step. A step that fails does not throw: the report tells it.
   *
   * @param workflow - The workflow, or its id.
   * @param options - The trigger, and what the test sets.
   * @throws CodedError - The workflow is unknown, or cannot be discovered.
   * @throws TypeError - A double or controls are given for a step that the workflow does not have.
   * @throws NotRepeatableError - `replay` is on, and a repetition made a difference.
   */
  run<TPayload>(workflow: Workflow<TPayload> | string, ...options: RunArguments<TPayload>): Promise<RunReport>
  /** Runs one step for real. */
  execute<TPayload>(
    workflow: Workflow<TPayload> | string,
    stepId: string,
    options?: StepCallOptions<TPayload>,
  ): Promise<StepReply>
  /** Shows one step, on sample data where nothing is given. */
  preview<TPayload>(
    workflow: Workflow<TPayload> | string,
    stepId: string,
    options?: StepCallOptions<Partial<TPayload>>,
  ): Promise<StepReply>
  /** Tells all workflows. */
  discover(): Promise<DiscoverReply>
  /** The bridge itself. */
  readonly bridge: Bridge
  /** The key that calls are signed with. */
  readonly secretKey: string
}

/**
 * Mounts workflows in a bridge that accepts signed calls only, and plays the service that calls it.
 *
 * @param options - The workflows, options of the bridge, and what every run starts from.
 * @throws TypeError - An option has the wrong form.
 * @example
 * const bridge = testBridge({ workflows: [orderShipped] })
 * const run = await bridge.run(orderShipped, { payload: { id: '7' } })
 */
export function testBridge(options: TestBridgeOptions): TestBridge {
  const { workflows, secretKey = 'the secret key of the tests', now, network, replay, ...rest } = options
  const base = { ...(now !== undefined && { now }), ...(network && { network }), ...(replay && { replay }) }
  const staged = workflows.map(stageWorkflow)
  const bridge = createBridge({ ...rest, workflows: staged, secretKey, strictAuthentication: true })
  const header = options.signatureHeader ?? signatureHeader
  const call = createCaller(bridge, { secretKey, signatureHeader: header })
  const step = async (
    action: 'execute' | 'preview',
    address: { readonly workflowId: string; readonly stepId: string },
    given: StepCallOptions<unknown>,
  ): Promise<StepReply> => {
    const { payload = {}, controls = {}, state = [] } = given
    const body = toEvent(given, { payload: payload as JsonObject, controls, state })
    return (await call<StepReply>({ action, ...address, body }, toScene({ ...base, ...given }))).body
  }
  return Object.freeze({
    run: (workflow: WorkflowDefinition | string, ...[given]: readonly RunOptions<JsonObject>[]) =>
      // Held for the whole run, and not taken up and laid down for each call.
      withPatches(async () => {
        const manifest = await findManifest(call, idOf(workflow), toScene(base))
        return runWorkflow({ call, workflow: manifest }, { ...base, ...given })
      }),
    execute: (workflow: WorkflowDefinition | string, stepId: string, given: StepCallOptions<unknown> = {}) =>
      step('execute', { workflowId: idOf(workflow), stepId }, given),
    preview: (workflow: WorkflowDefinition | string, stepId: string, given: StepCallOptions<unknown> = {}) =>
      step('preview', { workflowId: idOf(workflow), stepId }, given),
    discover: async () => (await call<DiscoverReply>({ action: 'discover' }, toScene(base))).body,
    bridge,
    secretKey,
  }) as TestBridge
}

function idOf(workflow: WorkflowDefinition | string): string {
  return typeof workflow === 'string' ? workflow : workflow.id
}

function toScene({ now, network }: SceneOptions): Scene {
  return createScene(toMs(now), network && { network })
}

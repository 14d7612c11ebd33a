import { type Bridge, type BridgeOptions, createBridge, type Workflow, type WorkflowDefinition } from '@trestle/core'
import type { AgentDefinition } from '@trestle/core/agents'
import { type DiscoverReply, type JsonObject, type StepReply, signatureHeader } from '@trestle/protocol'
import { type CallBridge, createCaller } from '../bridge/bridge-caller.ts'
import { findManifests } from '../bridge/find-manifest.ts'
import { stubSteps } from '../bridge/stub-steps.ts'
import { withoutProbes } from '../bridge/without-probes.ts'
import { checkBaseOptions, checkEvent, checkRunOptions, checkStepCallOptions } from '../context/check-options.ts'
import {
  type EmittedEvent,
  type ReplayPolicy,
  type RunArguments,
  type RunOptions,
  type StepCallOptions,
  type TestContextOptions,
  withBase,
} from '../context/run-options.ts'
import { contextStorage, createTestContext, type TestContext, timeOf } from '../context/test-context.ts'
import type { ConversationTurn } from '../conversation/conversation-turn.ts'
import { type ConverseOptions, converse } from '../conversation/converse.ts'
import { withPatches } from '../isolation/install-patches.ts'
import type { ConversationReport } from '../report/conversation-report.ts'
import type { PlayedService, RunReport } from '../report/run-report.ts'
import { toMs } from '../report/time.ts'
import { toEvent } from './calls/to-event.ts'
import { runWorkflow } from './run-workflow.ts'
import { warnRefused } from './warn-refused.ts'

/** The options of a test bridge: the bridge options, and defaults for every run. */
export interface TestBridgeOptions
  extends Omit<BridgeOptions, 'secretKey' | 'service' | 'strictAuthentication'>,
    TestContextOptions {
  /** The workflows. @default [] */
  readonly workflows?: readonly WorkflowDefinition[] | undefined
  /** The key that calls are signed with. @default 'the-secret-key-of-the-tests' */
  readonly secretKey?: string | undefined
  /** Whether to replay runs for each step; a run can override it. @default 'never' */
  readonly replay?: ReplayPolicy | undefined
  /**
   * The simulated service: `listed` calls the steps that discovery lists, as does a service with a preset. A run can
   * override it. @default 'run-driven'
   */
  readonly service?: PlayedService | BridgeOptions['service']
}

/** A bridge under test, with a simulated service. Methods reject with the bridge's failure, a `CodedError`. */
export interface TestBridge {
  /**
   * Runs a workflow from its trigger to its last step. A failed step does not throw: the failure is part of the report.
   *
   * @param workflow - The workflow, or its id.
   * @param options - The trigger, and test settings.
   * @throws CodedError - The workflow is unknown, or cannot be discovered.
   * @throws TypeError - An option is unknown or invalid, a stub or a control value names an unknown step, or a stub is
   * not a valid result.
   * @throws NotRepeatableError - `replay` is on, and a replay gave a different result.
   * @throws RepeatedRequestError - `replay` is on, and the function sends requests itself.
   * @example
   * const run = await bridge.run(orderShipped, { payload: { id: '7' }, subscriber: 'ada' })
   */
  run<TPayload>(workflow: Workflow<TPayload> | string, ...options: RunArguments<TPayload>): Promise<RunReport>
  /**
   * Emits an event at the current time of the run that the calling code belongs to: a handler, a stub or a hook. For
   * events at later times, use the option `events` of a run.
   *
   * @throws TypeError - The event is invalid, or no run is in progress.
   * @example
   * doubles: { page: () => bridge.emit({ name: 'incident.acknowledged', payload: { id: '7' } }) }
   */
  emit(event: EmittedEvent): void
  /**
   * Executes one step with one signed call.
   *
   * @param workflow - The workflow, or its id.
   * @throws CodedError - The bridge's own failure.
   * @throws TypeError - An option is unknown or invalid.
   * @example
   * const { outputs } = await bridge.execute(orderShipped, 'email', { payload: { id: '7' }, state })
   */
  execute<TPayload>(
    workflow: Workflow<TPayload> | string,
    stepId: string,
    options?: StepCallOptions<TPayload>,
  ): Promise<StepReply>
  /**
   * Previews one step with one signed call; omitted data is replaced by sample data.
   *
   * @param workflow - The workflow, or its id.
   * @throws CodedError - The bridge's own failure.
   * @throws TypeError - An option is unknown or cannot be used.
   * @example
   * const { outputs } = await bridge.preview(orderShipped, 'email')
   */
  preview<TPayload>(
    workflow: Workflow<TPayload> | string,
    stepId: string,
    options?: StepCallOptions<Partial<TPayload>>,
  ): Promise<StepReply>
  /**
   * Runs a conversation with an agent. Each event is sent after the previous turn; the agent's replies and triggers are
   * only recorded in the report. A failed turn does not throw: the failure is part of the report.
   *
   * @param agent - The agent, or its id.
   * @param turns - The user's actions in order: a string is a message.
   * @param options - The user, the platform and the clock.
   * @throws CodedError - The bridge rejected an event.
   * @throws TypeError - An option is unknown or invalid, a turn is invalid, or a turn answers a question that is not
   * open.
   * @example
   * const talk = await bridge.converse(support, ['Refund order 7, please', { answer: true }])
   */
  converse(
    agent: AgentDefinition | string,
    turns: readonly ConversationTurn[],
    options?: ConverseOptions,
  ): Promise<ConversationReport>
  /**
   * Returns the bridge's reply to `discover`.
   *
   * @throws CodedError - A workflow cannot be discovered.
   * @example
   * const { workflows } = await bridge.discover()
   */
  discover(): Promise<DiscoverReply>
  /** The bridge itself. */
  readonly bridge: Bridge
  /** The key that calls are signed with. */
  readonly secretKey: string
}

// A reserved name that never resolves.
const testApiUrl = 'https://api.test'
const testKey = 'the-secret-key-of-the-tests'

type Address = { readonly workflowId: string; readonly stepId: string }

/**
 * Mounts workflows in a bridge that accepts signed calls only, and simulates the service that calls it.
 *
 * @param options - The workflows, bridge options, and defaults for every run.
 * @throws TypeError - An option is invalid.
 * @example
 * const bridge = testBridge({ workflows: [orderShipped] })
 * const run = await bridge.run(orderShipped, { payload: { id: '7' } })
 */
export function testBridge(options: TestBridgeOptions): TestBridge {
  const { workflows = [], secretKey = testKey, now, network, replay, service, hooks, ...rest } = options
  const { apiUrl = testApiUrl } = options
  const preset = typeof service === 'object' && service !== null ? service : undefined
  const played = preset ? 'listed' : (service as PlayedService | undefined)
  const base = withBase({}, { now, network, replay, service: played })
  checkBaseOptions(base)
  const bridge = createBridge({
    ...rest,
    // Turns production warnings into errors in tests.
    ...(preset && { service: { ...preset, dropsUnknown: false } }),
    ...(hooks && { hooks: withoutProbes(hooks) }),
    workflows: workflows.map(stubSteps),
    ...(options.agents && { apiUrl }),
    secretKey,
    strictAuthentication: true,
  })
  const signing = { secretKey, signatureHeader: options.signatureHeader ?? signatureHeader }
  const call = createCaller(bridge, signing)
  const talk = { bridge, signing, apiUrl: apiUrl.replace(/\/+$/, ''), agents: options.agents, base }
  const step = async (action: 'execute' | 'preview', address: Address, given: object = {}): Promise<StepReply> => {
    checkStepCallOptions(given)
    return callOnce(call, { action, ...address }, withBase(base, given))
  }
  return Object.freeze({
    run: async (workflow: WorkflowDefinition | string, given: RunOptions<JsonObject> = {}) => {
      checkRunOptions(given)
      // Installed once for the whole run instead of for each call.
      return withPatches(async () => {
        const manifests = await findManifests(call, idOf(workflow), toTestContext(base))
        const report = await runWorkflow({ call, ...manifests }, withBase(base, given))
        warnRefused(report, options.logger ?? console)
        return report
      })
    },
    emit,
    execute: (workflow: WorkflowDefinition | string, stepId: string, given?: object) =>
      step('execute', { workflowId: idOf(workflow), stepId }, given),
    preview: (workflow: WorkflowDefinition | string, stepId: string, given?: object) =>
      step('preview', { workflowId: idOf(workflow), stepId }, given),
    converse: (agent: AgentDefinition | string, turns: readonly ConversationTurn[], given: ConverseOptions = {}) =>
      converse(talk, typeof agent === 'string' ? agent : agent.id, { turns, given }),
    discover: async () => (await call<DiscoverReply>({ action: 'discover' }, toTestContext(base))).body,
    bridge,
    secretKey,
  }) as TestBridge
}

function emit(event: EmittedEvent): void {
  checkEvent(event)
  const context = contextStorage.getStore()
  if (!context?.emit)
    throw new TypeError(
      'bridge.emit() needs a run in progress: call it in a handler or a double, or use the option events of bridge.run().',
    )
  context.emit(event, timeOf(context))
}

async function callOnce(
  call: CallBridge,
  address: Address & { readonly action: 'execute' | 'preview' },
  given: StepCallOptions<unknown>,
): Promise<StepReply> {
  const { payload = {}, controls = {}, state = [] } = given
  const body = toEvent(given, { payload: payload as JsonObject, controls, state })
  return (await call<StepReply>({ ...address, body }, toTestContext(given))).body
}

function idOf(workflow: WorkflowDefinition | string): string {
  return typeof workflow === 'string' ? workflow : workflow.id
}

function toTestContext({ now, network }: TestContextOptions): TestContext {
  return createTestContext(now === undefined ? Date.now() : toMs(now, 'now'), network && { network })
}

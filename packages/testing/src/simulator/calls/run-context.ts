import type { JsonObject, StepDescription, WorkflowManifest } from '@trestle/protocol'
import type { CallBridge } from '../../bridge/bridge-caller.ts'
import { checkResult } from '../../bridge/check-result.ts'
import type { EmittedEvent, RunOptions } from '../../context/run-options.ts'
import { isFailure, storesOutputs } from '../../context/step-stub.ts'
import type { NamedSubscriber } from '../../context/subscriber.ts'
import { createTestContext, type TestContext } from '../../context/test-context.ts'
import type { TriggerRun } from './trigger-run.ts'

/** The parts that all calls of a run share. */
export interface RunContext {
  readonly call: CallBridge
  /** The workflow, as the bridge discovers it. */
  readonly workflow: WorkflowManifest
  /** The options of the run. */
  readonly options: Omit<RunOptions<JsonObject>, 'subscriber'>
  /** The recipient, with the fields of the last trigger that named them. */
  readonly subscriber: NamedSubscriber
  /** Blocked URLs; added to during the run. */
  readonly refused: string[]
  /** Emits an event at a time, milliseconds since 1970. */
  readonly emit: (event: EmittedEvent, atMs: number) => void
  /** The service's API. */
  readonly service: NonNullable<TestContext['service']>
  /** The descriptions of steps by id: from discovery, and from replies. */
  readonly descriptions: Map<string, StepDescription>
}

/**
 * Creates the test context of a run's next call.
 *
 * @param context - The parts shared by all calls.
 */
export function toTestContext({ options, refused, emit, service }: RunContext, run: TriggerRun): TestContext {
  const { network = 'refuse', doubles = {} } = options
  return createTestContext(run.nowMs, {
    ...{ network, refused, emit, service, stubs: new Map(Object.entries(doubles)), calls: [] },
  })
}

/**
 * Returns the steps that have a stub and no description yet.
 *
 * @param context - The parts shared by all calls.
 */
export function toUndescribed({ options: { doubles = {} }, descriptions }: RunContext): readonly string[] {
  return Object.keys(doubles).filter((stepId) => !descriptions.has(stepId))
}

/**
 * Adds descriptions of steps, and checks the stubs of these steps.
 *
 * @param context - The parts shared by all calls.
 * @throws TypeError - A stub is not a possible result of its step.
 */
export async function addDescriptions(context: RunContext, steps: readonly StepDescription[]): Promise<void> {
  const { doubles = {} } = context.options
  for (const step of steps) {
    const { stepId, type } = step
    context.descriptions.set(stepId, step)
    const stub = Object.hasOwn(doubles, stepId) ? doubles[stepId] : undefined
    // The bridge validates the stub of a custom step with the step's own schema.
    const isResult = stub !== undefined && typeof stub !== 'function' && !isFailure(stub) && !storesOutputs(type)
    if (isResult) await checkResult(step, stub)
  }
}

import { CodedError, isCodedError } from '@trestle/protocol'
import { toThrown } from '../base/thrown.ts'
import { type RegisteredWorkflow, schemasOf } from '../bridge/registered-workflow.ts'
import type { Discovery, ExploredRun } from './discovery.ts'
import { type Exploration, type ExploringRun, explore } from './recording/explore.ts'
import { recordRun } from './recording/record-run.ts'
import { findConflict, findDuplicate } from './step-conflicts.ts'
import { toSteps } from './to-steps.ts'

// How long all runs of one workflow may wait for anything but steps.
const waitMs = 1000

const discoveries = new WeakMap<RegisteredWorkflow, Promise<Discovery>>()

/**
 * Finds out which steps a workflow has. Done once per workflow; a failure is not kept, since what made the function
 * fail may be over the next time.
 *
 * @param workflow - The workflow.
 * @throws CodedError - `WorkflowDiscoveryFailedError`, `StepAlreadyExistsError`.
 */
export function discoverWorkflow(workflow: RegisteredWorkflow): Promise<Discovery> {
  const known = discoveries.get(workflow)
  if (known) return known
  const found = find(workflow).catch((error: unknown) => {
    discoveries.delete(workflow)
    throw toDiscoveryFailure(workflow.id, error)
  })
  discoveries.set(workflow, found)
  return found
}

/**
 * Whatever fails while a workflow is discovered is the workflow's own failure: its schemas are code of the app, too.
 *
 * @param workflowId - The workflow.
 * @param error - What was thrown.
 */
export function toDiscoveryFailure(workflowId: string, error: unknown): CodedError {
  if (isCodedError(error)) return error
  const message = `Workflow "${workflowId}" could not be discovered: ${toThrown(error).message}`
  return new CodedError('WorkflowDiscoveryFailedError', message, { data: { errors: [message] }, cause: error })
}

async function find(workflow: RegisteredWorkflow): Promise<Discovery> {
  await prepare(workflow)
  const exploration = await explore({
    record: (variation, leftMs) => recordRun(workflow, variation, { waitMs: leftMs }),
    waitMs,
  })
  const { runs } = exploration
  const normal = runs.filter((run) => run.end === 'normal')
  if (normal.length === 0) throw toFailure(workflow, runs)
  const conflict = findDuplicate(workflow.id, normal) ?? (await findConflict(workflow.id, runs))
  if (conflict) throw conflict
  const steps = toSteps(runs)
  workflow.stepCount = steps.length
  return {
    steps,
    runs: runs.filter((run) => run.end !== 'limit').map(toExplored),
    awaitsOnlySteps: !runs.some((run) => run.awaitedIo),
    maxGapMs: Math.max(...runs.map((run) => run.maxGapMs)),
    warnings: toWarnings(workflow.id, exploration, await isUnstable(workflow, runs)),
  }
}

async function prepare(workflow: RegisteredWorkflow): Promise<void> {
  const schemas = schemasOf(workflow)
  for (const [name, schema] of Object.entries(schemas))
    try {
      await schema.prepare()
      schema.jsonSchema()
    } catch (error) {
      const message = `Workflow "${workflow.id}": the schema of its ${name} cannot be published. ${toThrown(error).message}`
      throw new CodedError('WorkflowDiscoveryFailedError', message, { data: { errors: [message] }, cause: error })
    }
}

function toFailure(workflow: RegisteredWorkflow, runs: readonly ExploringRun[]): CodedError {
  const [first] = runs
  const errors = [...new Set(runs.map(describe))]
  const why = first ? describe(first) : 'it was not run'
  const hint = workflow.options.payloadSchema
    ? 'Code outside of handlers runs on sample data when a workflow is discovered.'
    : 'Add a payloadSchema, so that the sample data fits.'
  return new CodedError(
    'WorkflowDiscoveryFailedError',
    `Workflow "${workflow.id}" could not be discovered: ${why}. ${hint}`,
    { data: { errors }, cause: first?.error },
  )
}

function describe({ end, error }: ExploringRun): string {
  return end === 'stuck' ? 'the function did not end' : toThrown(error).message
}

function toExplored({ variation, calls }: ExploringRun): ExploredRun {
  const order = calls.map(({ id }) => id)
  return { variation, order, calls: new Set(order) }
}

function toWarnings(workflowId: string, { runs, cut }: Exploration, unstable: boolean): readonly string[] {
  const warnings: string[] = []
  const limited = runs.find((run) => run.end === 'limit')
  if (limited)
    warnings.push(
      `Workflow "${workflowId}": a run at discovery was cut short, because ${toThrown(limited.error).message}.`,
    )
  if (cut)
    warnings.push(
      `Workflow "${workflowId}" depends on more data than discovery tries; some conditional steps may be missing.`,
    )
  if (unstable)
    warnings.push(
      `Workflow "${workflowId}" gave other steps for the same data: keep clock, random and I/O inside of handlers.`,
    )
  for (const { doubles } of runs)
    for (const { id } of doubles)
      warnings.push(`Workflow "${workflowId}" called step "${id}" twice for a list of two items; ids must not repeat.`)
  return [...new Set(warnings)]
}

/** Tries the first sample once more. Where code waits for more than steps, each run may have an effect: not there. */
async function isUnstable(workflow: RegisteredWorkflow, runs: readonly ExploringRun[]): Promise<boolean> {
  const first = runs.find((run) => run.end === 'normal')
  if (!first || runs.some((run) => run.awaitedIo)) return false
  const again = await recordRun(workflow, first.variation, { waitMs })
  return again.calls.map((call) => call.id).join('\n') !== first.calls.map((call) => call.id).join('\n')
}

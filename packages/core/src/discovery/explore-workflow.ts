import { CodedError } from '@trestle/protocol'
import { endSentence, toThrown } from '../base/thrown.ts'
import type { RegisteredWorkflow } from '../bridge/registered-workflow.ts'
import { checkSampleResults, checkSamples } from './check-samples.ts'
import type { Discovery, ExploredRun } from './discovery.ts'
import { makeRuns } from './few-runs.ts'
import { orderSteps } from './ordering/order-steps.ts'
import { recordRun } from './recording/record-run.ts'
import type { ExploringRun, RecordedRun } from './recording/recorded-run.ts'
import type { Variation } from './samples/variation/variation.ts'
import { findConflict, findDuplicate } from './step-conflicts.ts'
import { type WrittenSteps, writtenStepsOf } from './text/written-steps.ts'
import { toSteps } from './to-steps.ts'
import { toWarnings } from './to-warnings.ts'

/**
 * How long a run may wait in total for anything other than steps. It only ends functions that do not finish; the list
 * of steps does not depend on it.
 */
const waitMs = 3000

/**
 * Discovers the steps of a workflow by running it on several kinds of sample data and by reading its source text.
 *
 * @param workflow - The workflow, with prepared schemas.
 * @param onIo - Called if the function waits for anything other than steps.
 * @throws CodedError - `WorkflowDiscoveryFailedError`, `StepAlreadyExistsError`.
 */
export async function exploreWorkflow(workflow: RegisteredWorkflow, onIo: () => void): Promise<Discovery> {
  await checkSamples(workflow)
  const written = writtenStepsOf(workflow)
  const record = (variation: Variation): Promise<RecordedRun> => recordRun(workflow, variation, { waitMs, onIo })
  const runs = await makeRuns({
    samples: workflow.options.samples?.length ?? 0,
    record,
    isMissing: (recordedRuns) => !written.isComplete || written.steps.some(({ id }) => !isReached(recordedRuns, id)),
  })
  await checkSampleResults(workflow, runs)
  const normal = runs.filter((run) => run.end === 'normal')
  if (normal.length === 0 && !isListedByText(runs, written)) throw toFailure(workflow, runs)
  const conflict = findDuplicate(workflow, normal) ?? (await findConflict(workflow.id, runs))
  if (conflict) throw conflict
  const ended = runs.filter((run) => run.end !== 'limit' && run.end !== 'stuck')
  const awaitsOnlySteps = !runs.some((run) => run.awaitedIo)
  const { order, conflicts } = orderSteps(
    ended,
    written.steps.map(({ id }) => id),
  )
  const steps = toSteps(order, ended, written.steps)
  return {
    steps,
    ids: new Set(steps.map(({ id }) => id)),
    reached: new Set(order),
    runs: runs.filter((run) => run.end !== 'limit').map(toExplored),
    parallel: toParallel(ended),
    isComplete: written.isComplete,
    awaitsOnlySteps,
    warnings: toWarnings(workflow, {
      runs,
      failure: normal.length === 0 ? toFailure(workflow, runs) : undefined,
      conflicts,
      isUnstable: await isUnstable(runs, record),
      isComplete: written.isComplete,
      unreached: steps.filter(({ isReached: reached }) => !reached).map(({ id }) => id),
    }),
  }
}

/**
 * Returns whether a function that fails for all sample data can be listed from its source text, with a warning. An
 * invalid step call is excluded, because it is a bug regardless of the data.
 */
function isListedByText(runs: readonly ExploringRun[], { steps }: WrittenSteps): boolean {
  return steps.length > 0 && runs.every(({ end, hasWrongCall }) => end === 'failed' && !hasWrongCall)
}

function isReached(runs: readonly RecordedRun[], id: string): boolean {
  return runs.some(({ calls }) => calls.some((call) => call.id === id))
}

function toExplored({ variation, calls, end }: ExploringRun): ExploredRun {
  return { variation, ids: new Set(calls.map(({ id }) => id)), hasEnded: end === 'normal' }
}

/** Collects the pairs of steps in which one was called while the other was open. */
function toParallel(runs: readonly RecordedRun[]): Discovery['parallel'] {
  const pairs = new Set<string>()
  for (const { calls } of runs)
    for (const { id, open } of calls) for (const other of open) pairs.add(JSON.stringify([id, other].sort()))
  return (one, other) => pairs.has(JSON.stringify([one, other].sort()))
}

function toFailure(workflow: RegisteredWorkflow, runs: readonly ExploringRun[]): CodedError {
  const [first] = runs
  const errors = [...new Set(runs.map(describe))]
  const why = (first ? describe(first) : 'it was not run').replace(/\.$/, '')
  return new CodedError(
    'WorkflowDiscoveryFailedError',
    `Workflow "${workflow.id}" could not be discovered: ${endSentence(why)} ${toHint(workflow, first)}`,
    { data: { errors }, cause: first?.error },
  )
}

/** Suggests a fix, such as adding a schema if a generated payload caused the failure. */
function toHint({ options }: RegisteredWorkflow, first: ExploringRun | undefined): string {
  const { error, misfits = new Set() } = first ?? {}
  const [misfit] = misfits
  if (misfit !== undefined && first?.end === 'failed')
    return `The sample of ${misfit} does not match its schema: add an example to the schema.`
  // A schemaless sample cannot be cloned, so this counts as a payload problem even though no field was read.
  const isCopied = error instanceof Error && error.name === 'DataCloneError'
  const isOfPayload = first?.end === 'failed' && (isCopied || first.seen.last.startsWith('payload')) && !first.awaitedIo
  const isOfStep = /\bstep\.\w+ is not a function/.test(toThrown(error).message)
  return !options.payloadSchema && isOfPayload && !isOfStep
    ? 'Add a payloadSchema, so that the sample data matches.'
    : 'Code outside handlers runs on sample data during discovery.'
}

function describe({ end, error }: ExploringRun): string {
  return end === 'stuck'
    ? 'the function did not end: it waited for other work for more than 3 seconds'
    : toThrown(error).message
}

/**
 * Repeats the first run, and returns whether it called different steps. Skipped for functions that wait for anything
 * other than steps, because each run may have side effects.
 */
async function isUnstable(
  runs: readonly ExploringRun[],
  record: (variation: Variation) => Promise<RecordedRun>,
): Promise<boolean> {
  const first = runs.find((run) => run.end === 'normal')
  if (!first || runs.some((run) => run.awaitedIo)) return false
  // If the first run read no variable data, the run on the emptiest sample has already repeated it.
  if (first.reads.size === 0 && runs.some((run) => run !== first && hasSameCalls(run, first))) return false
  return !hasSameCalls(await record(first.variation), first)
}

function hasSameCalls(left: RecordedRun, right: RecordedRun): boolean {
  return left.calls.length === right.calls.length && left.calls.every(({ id }, index) => id === right.calls[index]?.id)
}

import { CodedError } from '@trestle/protocol'
import { endSentence, toThrown } from '../base/thrown.ts'
import type { RegisteredWorkflow } from '../bridge/registered-workflow.ts'
import { sourceOf } from './dictionary/source-of.ts'
import type { Discovery } from './discovery.ts'
import { toExplored } from './explored-run.ts'
import { type ExploringRun, explore, type Progress } from './exploring/explore.ts'
import { createTimeBudget } from './exploring/time-budget.ts'
import { findIdsOfData } from './ids-of-data.ts'
import { orderSteps } from './ordering/order-steps.ts'
import { tryTogether } from './ordering/try-together.ts'
import { recordRun } from './recording/record-run.ts'
import type { RecordedRun } from './recording/recorded-run.ts'
import type { Variation } from './samples/variation/variation.ts'
import { findConflict, findDuplicate } from './step-conflicts.ts'
import { toSteps } from './to-steps.ts'
import { toWarnings } from './to-warnings.ts'
import { createCertainty } from './written/certainty.ts'
import { findUnreached } from './written/unreached-steps.ts'

// How long all runs of one workflow may wait for anything but steps.
const waitMs = 1000
// After this no more runs are started: what was found so far, with a warning, is better than no answer in time.
const enoughMs = 2000

/** How far discoveries have come that ran out of time: the next one goes on from there, so that some time all is found. */
const unfinished = new WeakMap<RegisteredWorkflow, Progress>()

/**
 * Finds out which steps a workflow has by running it on sample data of many kinds.
 *
 * @param workflow - The workflow; its schemas are prepared.
 * @throws CodedError - `WorkflowDiscoveryFailedError`, `StepAlreadyExistsError`.
 */
export async function exploreWorkflow(workflow: RegisteredWorkflow): Promise<Discovery> {
  const places = new Map<string, Error>()
  const record = (variation: Variation, leftMs: number): Promise<RecordedRun> =>
    recordRun(workflow, variation, { waitMs: leftMs, isPatient: true, places })
  const { hasTime, wasLate } = createTimeBudget(enoughMs)
  const isMissing = (runs: readonly ExploringRun[]): boolean => findUnreached(workflow, runs).length > 0
  const source = sourceOf(workflow)
  const isWritten = (id: string): boolean => source.includes(id)
  const explored = await explore({
    record,
    waitMs,
    hasTime,
    isMissing,
    toCertainty: createCertainty(workflow),
    isWritten,
    progress: unfinished.get(workflow),
  })
  unfinished.delete(workflow)
  const runs = await tryTogether(explored, { record: (variation) => record(variation, waitMs), hasTime })
  const normal = runs.filter((run) => run.end === 'normal')
  if (normal.length === 0) throw toFailure(workflow, runs)
  const conflict = findDuplicate(workflow.id, normal) ?? (await findConflict(workflow.id, runs))
  if (conflict) throw conflict
  const ended = runs.filter((run) => run.end !== 'limit' && run.end !== 'stuck')
  const awaitsOnlySteps = !runs.some((run) => run.awaitedIo)
  if (wasLate() && awaitsOnlySteps) unfinished.set(workflow, explored.progress)
  const { order, conflicts } = await orderSteps(ended, {
    source,
    async callsWithout({ variation }, id) {
      // Where other work is awaited each run may have an effect.
      if (!awaitsOnlySteps || !hasTime()) return new Set()
      const { calls } = await recordRun(workflow, variation, { hold: new Set([id]), waitMs: 0 })
      return new Set(calls.map((call) => call.id))
    },
  })
  return {
    steps: toSteps(order, ended),
    ids: new Set(order),
    runs: runs.filter((run) => run.end !== 'limit').map(toExplored),
    awaitsOnlySteps,
    isLate: wasLate(),
    maxGapMs: Math.max(...runs.map((run) => run.maxGapMs)),
    warnings: toWarnings(workflow, {
      runs,
      cut: explored.cut,
      isLate: wasLate(),
      conflicts,
      isUnstable: await isUnstable(workflow, runs),
      unreached: findUnreached(workflow, runs),
      idsOfData: await findIdsOfData(workflow, runs, {
        record: (variation) => recordRun(workflow, variation, { waitMs: 0 }),
        mayRun: () => awaitsOnlySteps && hasTime(),
      }),
    }),
  }
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

/** A schema helps where what was made up for the payload led to the failure. */
function toHint({ options }: RegisteredWorkflow, first: ExploringRun | undefined): string {
  const { error, misfits = new Set() } = first ?? {}
  const [misfit] = misfits
  if (misfit !== undefined && first?.end === 'failed')
    return `The sample of ${misfit} does not fit its schema: give it an example.`
  // What stands for any data cannot be copied; there, nothing was read.
  const isCopied = error instanceof Error && error.name === 'DataCloneError'
  const isOfPayload = first?.end === 'failed' && (isCopied || first.seen.last.startsWith('payload')) && !first.awaitedIo
  const isOfStep = /\bstep\.\w+ is not a function/.test(toThrown(error).message)
  return !options.payloadSchema && isOfPayload && !isOfStep
    ? 'Add a payloadSchema, so that the sample data fits.'
    : 'Code outside of handlers runs on sample data when a workflow is discovered.'
}

function describe({ end, error }: ExploringRun): string {
  return end === 'stuck' ? 'the function did not end' : toThrown(error).message
}

/** Tries the first sample once more. Where code waits for more than steps, each run may have an effect: not there. */
async function isUnstable(workflow: RegisteredWorkflow, runs: readonly ExploringRun[]): Promise<boolean> {
  const first = runs.find((run) => run.end === 'normal')
  if (!first || runs.some((run) => run.awaitedIo)) return false
  // Where nothing that it read can differ it has been tried twice: with the fullest sample, and with the emptiest.
  if (first.reads.size === 0 && runs.some((run) => run !== first && hasSameCalls(run, first))) return false
  return !hasSameCalls(await recordRun(workflow, first.variation, { waitMs }), first)
}

function hasSameCalls(left: RecordedRun, right: RecordedRun): boolean {
  return left.calls.length === right.calls.length && left.calls.every(({ id }, index) => id === right.calls[index]?.id)
}

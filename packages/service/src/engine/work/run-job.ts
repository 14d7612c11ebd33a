import type { BridgeOutcome } from '../../bridge/bridge-call.ts'
import type { TakenItem } from '../../queue/queue.ts'
import { toStepSpan } from '../../traces/engine-spans.ts'
import { failSpan, withSpan } from '../../traces/spans.ts'
import { isFinalFault } from '../base/is-final-fault.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import type { HeldJob, JobStep } from '../run/held-job.ts'
import type { HeldRun } from '../run/held-run.ts'
import { concernsOwnRun, type StoreChange } from '../run/work-change.ts'
import { createContent } from './create-content.ts'
import { failJob } from './fail-job.ts'
import { noteRetries } from './note-retries.ts'
import { sendMessages } from './send-messages.ts'
import { settleJob } from './settle-job.ts'
import type { JobRemainder } from './settle-step.ts'
import { type LoadSeen, toStepEvent } from './step-event.ts'

/** Dependencies of the work on one job, in addition to the ports. */
export interface JobWork {
  /** Aborts bridge calls when the service stops. */
  readonly signal: AbortSignal
  /** Called when a wait starts, with its end in milliseconds since 1970. */
  readonly onWait: (dueMs: number) => void
  /** How long a bridge must be inactive before it reports that nothing comes next, in milliseconds. */
  readonly quietMs: number
  /** The maximum number of steps per run if the bridge decides the next step. */
  readonly maxSteps: number
  /** Claims a job; see {@link holdJobs}. */
  readonly holdJob: (jobId: string) => Promise<HeldJob | undefined>
  /** Claims a run; see {@link holdRuns}. */
  readonly holdRun: (runId: string) => Promise<HeldRun | undefined>
  /** Loads the in-app messages of jobs. */
  readonly loadSeen: LoadSeen
  /** Stores the consequences of a reply. */
  readonly store: StoreChange
  /** Whether this process still starts calls. */
  readonly canStart: () => boolean
}

interface Call {
  readonly held: HeldJob
  readonly item: TakenItem
  readonly work: JobWork
}

/**
 * Calls the bridge for a job, and stores the outcome. Does nothing for a finished job.
 *
 * @param item - The work; its id is the row id of the job.
 * @throws Failures of the service, so that the work is retried.
 */
export async function runJob(ports: EnginePorts, item: TakenItem, work: JobWork): Promise<void> {
  const held = await work.holdJob(item.id)
  if (held) await withSpan(toStepSpan(held.run, held.job, item.attempts), () => runHeldJob(ports, { held, item, work }))
}

async function runHeldJob(ports: EnginePorts, { held, item, work }: Call): Promise<void> {
  try {
    const remainder = held.job.stage === 'sending' ? undefined : await callAndSettle(ports, { held, item, work })
    if (remainder?.dueMs !== undefined) work.onWait(remainder.dueMs)
    if (held.job.stage === 'sending' || (remainder && remainder.pending.length > 0))
      await sendMessages(ports, held, item.complete)
  } catch (error) {
    if (work.signal.aborted || !isFinalFault(error, item)) throw error
    ports.logger.error({ err: error, jobId: held.job.id, stepId: held.job.stepId }, 'a step failed in the service')
    failSpan('ServiceError')
    await failJob(ports, held, { error, complete: item.complete })
  }
}

async function callAndSettle(ports: EnginePorts, { held, item, work }: Call): Promise<JobRemainder | undefined> {
  const outcome = await callBridge(ports, held, work)
  if (outcome.failure) failSpan(outcome.failure.code)
  const content = await createContent(ports, held, { step: held.job, outcome })
  return work.store({
    ...{ priority: item.priority, runId: held.run.id, isOwn: concernsOwnRun(held.job.type) },
    async work(tx) {
      const remainder = await settleJob(ports, tx, { held, outcome, content })
      if (!remainder || remainder.pending.length === 0) await item.complete(tx)
      return remainder
    },
  })
}

async function callBridge(ports: EnginePorts, held: HeldJob, work: JobWork): Promise<BridgeOutcome> {
  const { run, job } = held
  const event = await toStepEvent(work.loadSeen, held, ports.clock.now())
  const target = await ports.loadTarget(run.environmentId)
  const { workflowIdentifier: workflowId, bridgeUrl } = run
  const { composed } = JSON.parse(job.step) as JobStep
  const { onRetry, written } = noteRetries(ports, run, job.id)
  const call = { target, bridgeUrl, workflowId, stepId: job.stepId, composed, event, signal: work.signal, onRetry }
  const outcome = await ports.bridge.callStep({ ...call, action: 'execute' })
  await written()
  return outcome
}

import type { BridgeOutcome } from '../../bridge/bridge-call.ts'
import type { TakenItem } from '../../queue/queue.ts'
import { UnstorableValueError } from '../../store/check-parameter.ts'
import type { Session } from '../../store/store.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import type { HeldJob, JobStep } from '../run/held-job.ts'
import type { HeldRun } from '../run/held-run.ts'
import { failJob } from './fail-job.ts'
import { noteRetries } from './note-retries.ts'
import { sendMessages } from './send-messages.ts'
import { settleJob } from './settle-job.ts'
import type { JobRemainder } from './settle-step.ts'
import { toStepEvent } from './step-event.ts'

/** Dependencies of the work on one job, beside the ports. */
export interface JobWork {
  /** Ends calls of bridges when the service stops. */
  readonly signal: AbortSignal
  /** Told when a wait begins; its end, milliseconds since 1970. */
  readonly onWait: (dueMs: number) => void
  /** For how long a bridge sees nothing happen before it says that nothing comes next, milliseconds. */
  readonly quietMs: number
  /** How many steps a run may have that its bridge leads. */
  readonly maxSteps: number
  /** Takes a job; see {@link holdJobs}. */
  readonly holdJob: (jobId: string) => Promise<HeldJob | undefined>
  /** Takes a run; see {@link holdRuns}. */
  readonly holdRun: (runId: string) => Promise<HeldRun | undefined>
  /** Stores what follows from an answer in one transaction, which it may share with others; a fan-out comes after them. */
  readonly store: <T>(item: TakenItem, work: (tx: Session) => Promise<T>) => Promise<T>
  /** Whether this process still begins calls. */
  readonly canStart: () => boolean
}

/** So often a job is tried that fails in the service itself, a few minutes long. */
const maxAttempts = 12

/**
 * Takes a job through its bridge call, and stores what follows. Does nothing for a job that is over.
 *
 * @param ports - What the engine acts through.
 * @param item - The work; its id is the job's.
 * @param work - What ends the call, and who hears of waits.
 * @throws Faults of the service, so that the work comes back later.
 */
export async function runJob(ports: EnginePorts, item: TakenItem, work: JobWork): Promise<void> {
  const held = await work.holdJob(item.id)
  if (!held) return
  try {
    const remainder = held.job.stage === 'sending' ? undefined : await callAndSettle(ports, { held, item, work })
    if (remainder?.dueMs !== undefined) work.onWait(remainder.dueMs)
    if (held.job.stage === 'sending' || (remainder && remainder.pending.length > 0))
      await sendMessages(ports, held, item.complete)
  } catch (error) {
    if (work.signal.aborted || !(error instanceof UnstorableValueError || item.attempts >= maxAttempts)) throw error
    ports.logger.error({ err: error, jobId: held.job.id, stepId: held.job.stepId }, 'a step failed in the service')
    await failJob(ports, held, { error, complete: item.complete })
  }
}

interface Call {
  readonly held: HeldJob
  readonly item: TakenItem
  readonly work: JobWork
}

async function callAndSettle(ports: EnginePorts, { held, item, work }: Call): Promise<JobRemainder | undefined> {
  const outcome = await callBridge(ports, held, work.signal)
  return work.store(item, async (tx) => {
    const remainder = await settleJob(ports, tx, { held, outcome })
    if (!remainder || remainder.pending.length === 0) await item.complete(tx)
    return remainder
  })
}

async function callBridge(ports: EnginePorts, held: HeldJob, signal: AbortSignal): Promise<BridgeOutcome> {
  const { run, job } = held
  const event = await toStepEvent(ports.store.db, held, ports.clock.now())
  const target = await ports.loadTarget(run.environmentId)
  const { workflowIdentifier: workflowId, bridgeUrl } = run
  const { composed } = JSON.parse(job.step) as JobStep
  const { onRetry, written } = noteRetries(ports, run, job.id)
  const call = { target, bridgeUrl, workflowId, stepId: job.stepId, composed, event, signal, onRetry }
  const outcome = await ports.bridge.callStep({ ...call, action: 'execute' })
  await written()
  return outcome
}

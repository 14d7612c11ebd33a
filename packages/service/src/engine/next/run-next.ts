import { randomUUID } from 'node:crypto'
import { isObject, type NextReply } from '@trestle/protocol'
import type { BridgeOutcome } from '../../bridge/bridge-call.ts'
import type { TakenItem } from '../../queue/queue.ts'
import { toNextSpan } from '../../traces/engine-spans.ts'
import { failSpan, withSpan } from '../../traces/spans.ts'
import { isFinalFault } from '../base/is-final-fault.ts'
import { isActive, onlyDispatches } from '../decision/next-turn.ts'
import type { Content } from '../port/channel-port.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import type { HeldRun } from '../run/held-run.ts'
import { concernsOwnRun } from '../run/work-change.ts'
import { createContent } from '../work/create-content.ts'
import { noteRetries } from '../work/note-retries.ts'
import type { JobWork } from '../work/run-job.ts'
import { toNextEvent } from '../work/step-event.ts'
import { faultRun } from './fault-run.ts'
import { endLostCall } from './next-change.ts'
import { settleNext } from './settle-next.ts'

/**
 * Asks the bridge of a run for the next step, and stores the result. Repeats this until the run must wait, so that a
 * started run finishes before others start. Does nothing for a run without a due call.
 *
 * @param item - The work; its id is the row id of the run.
 * @throws Failures of the service, so that the work is retried.
 */
export async function runNext(ports: EnginePorts, item: TakenItem, work: JobWork): Promise<void> {
  let held = await work.holdRun(item.id)
  if (!held) return endLostCall(ports, item)
  while (held) {
    const current: HeldRun = held
    held = await withSpan(toNextSpan(current.run, item.attempts), () => callOnce(ports, current, { item, work }))
  }
}

/** Makes one call, and returns the run if another call follows. Otherwise completes the work. */
async function callOnce(
  ports: EnginePorts,
  held: HeldRun,
  { item, work }: { readonly item: TakenItem; readonly work: JobWork },
): Promise<HeldRun | undefined> {
  const { maxSteps } = work
  let outcome: BridgeOutcome<NextReply> | undefined
  try {
    const bridgeOutcome = await callBridge(ports, held, work)
    outcome = bridgeOutcome
    if (outcome.failure) failSpan(outcome.failure.code)
    const content = await createStepContent(ports, held, bridgeOutcome)
    const nextCall = work.canStart() ? { runId: held.run.id, claim: randomUUID() } : undefined
    const remainder = await work.store({
      ...{ priority: item.priority, runId: held.run.id, isOwn: isOwnChange(held, bridgeOutcome) },
      async work(tx) {
        // The transaction may be retried.
        const settleInput = {
          held,
          outcome: bridgeOutcome,
          content,
          maxSteps,
          nextCall: nextCall && { ...nextCall, run: undefined },
        }
        const nextRemainder = await settleNext(ports, tx, settleInput)
        if (!nextRemainder?.again) await item.complete(tx)
        return nextRemainder
      },
    })
    if (remainder?.dueMs !== undefined) work.onWait(remainder.dueMs)
    return remainder?.again
  } catch (error) {
    if (work.signal.aborted || !isFinalFault(error, item)) throw error
    ports.logger.error({ err: error, runId: held.run.id }, 'a run failed in the service')
    failSpan('ServiceError')
    await faultRun(ports, held, { error, reply: outcome?.reply, complete: item.complete })
    return undefined
  }
}

/** Creates the content of the message if the call ran a step that sends one. */
async function createStepContent(
  ports: EnginePorts,
  held: HeldRun,
  { reply, ...outcome }: BridgeOutcome<NextReply>,
): Promise<Content | undefined> {
  if (!reply || !('step' in reply)) return undefined
  return createContent(ports, held, { step: reply.step, outcome: { ...outcome, reply } })
}

/** Manifests of steps change the workflow. A run that fails hands its digests over to other runs. */
function isOwnChange({ jobs }: HeldRun, { reply }: BridgeOutcome<NextReply>): boolean {
  if (jobs.some(({ type, status }) => type === 'digest' && status !== 'completed')) return false
  if (reply === undefined) return true
  if (isObject(reply.metadata) && Array.isArray(reply.metadata['steps'])) return false
  return 'step' in reply ? concernsOwnRun(reply.step.type) : true
}

async function callBridge(
  ports: EnginePorts,
  held: HeldRun,
  { signal, quietMs, loadSeen }: JobWork,
): Promise<BridgeOutcome<NextReply>> {
  const { run, jobs } = held
  const wait = jobs.some(isActive) ? 0 : quietMs
  const nextEvent = await toNextEvent(loadSeen, held, { nowMs: ports.clock.now(), quietMs: wait })
  // A bridge runs a step in the call only if `taken` is empty. The id of a run never matches a step.
  const event = onlyDispatches(run)
    ? { ...nextEvent, taken: [...(nextEvent.taken ?? []), { stepId: run.id }] }
    : nextEvent
  const target = await ports.loadTarget(run.environmentId)
  const { workflowIdentifier: workflowId, bridgeUrl } = run
  const { onRetry, written } = noteRetries(ports, run, null)
  const outcome = await ports.bridge.callRun({ target, bridgeUrl, workflowId, event, signal, onRetry })
  await written()
  return outcome
}

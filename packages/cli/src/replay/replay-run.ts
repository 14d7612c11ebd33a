import type { RunRecording } from '@trestle/api-client'
import { BridgeClientError } from '@trestle/bridge-client'
import { isObject, type NextReply } from '@trestle/protocol'
import { callStep } from './call-step.ts'
import { type ReplayedRun, toShown } from './difference.ts'
import { isTransportFailure, toFailure } from './failure.ts'
import { findObstacle } from './find-obstacle.ts'
import {
  createReplayState,
  deliverNext,
  findTaken,
  type ReplayOptions,
  type ReplayState,
  toEvent,
} from './replay-state.ts'

/** The time without activity after which a bridge reports that nothing comes next; the service waits equally long. */
const quietMs = 1000
/** An endless loop would create steps forever. */
const maxNewSteps = 100

/**
 * Runs a recorded run again on another bridge, with its recorded results, and compares each step. Nothing is sent, and
 * handlers of steps that store data do not run.
 *
 * @param recording - The run.
 * @param options - The bridge, and the signal that ends the replay.
 * @throws {BridgeClientError} The bridge cannot be called.
 */
export async function replayRun(recording: RunRecording, options: ReplayOptions): Promise<ReplayedRun> {
  const { _id: runId, workflowId } = recording
  const obstacle = findObstacle(recording)
  if (obstacle !== undefined) return { runId, workflowId, outcome: 'not-comparable', reason: obstacle, differences: [] }
  const replay = createReplayState(recording, options)
  await follow(replay)
  const { differences, stopped = null } = replay
  const isFailing = differences.some(({ kind }) => kind === 'failing')
  const outcome = isFailing ? 'failing' : differences.length > 0 ? 'different' : 'same'
  return { runId, workflowId, outcome, reason: stopped, differences }
}

/** Follows the bridge from step to step, and delivers the recorded results in their order. */
async function follow(replay: ReplayState): Promise<void> {
  for (;;) {
    const reply = await askNext(replay, { onlyDispatches: true })
    if (!reply) return
    const open = 'open' in reply ? reply.open : 'step' in reply ? [reply.step] : []
    for (const step of open) {
      await callStep(replay, step)
      if (replay.stopped !== undefined) return
    }
    if (replay.called.size > replay.recordedSteps.size + maxNewSteps) {
      replay.stopped = `the run was compared up to its first ${maxNewSteps} new steps`
      return
    }
    const next = deliverNext(replay, 'done' in reply)
    // The service ends a run that is throttled.
    if (next?.state?.outputs['throttled'] === true) return
    if (!next) return end(replay, 'done' in reply)
  }
}

/** While a called step has no result, a function that threw looks as if it were still waiting. */
async function end(replay: ReplayState, isDone: boolean): Promise<void> {
  const reply = isDone || findTaken(replay).length > 0 ? true : await askNext(replay, { onlyDispatches: false })
  if (!reply) return
  const { recording, recordedSteps, called, differences } = replay
  if (isObject(recording.error)) {
    const message = `the run failed with ${String(recording.error['code'])}, and no longer fails`
    differences.push({ kind: 'fixed', stepId: null, type: null, message })
  }
  for (const { stepId, type, reply: before } of recordedSteps.values()) {
    if (before?.skip || called.get(stepId)?.state !== undefined) continue
    const isWaiting = called.has(stepId) && recordedSteps.get(stepId)?.order === null
    if (isWaiting) continue
    differences.push({
      kind: 'lost',
      stepId,
      type,
      message: 'the run no longer calls the step',
      ...(before && { before: toShown(before) }),
    })
  }
}

/** Returns the steps that come next; undefined if the workflow function failed. */
async function askNext(
  replay: ReplayState,
  { onlyDispatches }: { readonly onlyDispatches: boolean },
): Promise<NextReply | undefined> {
  const { client, recording, signal } = replay
  const taken = findTaken(replay)
  const wait = taken.some(({ state }) => state !== undefined) ? 0 : quietMs
  // A bridge runs a step in the call only if `taken` is empty. The id of a run never matches a step.
  const marker = onlyDispatches ? [{ stepId: recording._id }] : []
  const event = {
    ...toEvent(replay),
    stepControls: recording.stepControls,
    taken: [...taken.map(({ stepId }) => ({ stepId })), ...marker],
    wait,
  }
  try {
    return await client.next({ workflowId: recording.workflowId, event }, { signal })
  } catch (error) {
    if (!(error instanceof BridgeClientError) || isTransportFailure(error)) throw error
    noteFailure(replay, toFailure(error))
    return undefined
  }
}

function noteFailure(
  { recording: { error }, differences }: ReplayState,
  { code, message }: { readonly code: string; readonly message: string },
): void {
  if (isObject(error) && error['code'] === code) return
  differences.push({ kind: 'failing', stepId: null, type: null, code, message })
}

import type { RunRecording } from '@trestle/api-client'
import type { BridgeClient } from '@trestle/bridge-client'
import type { ExecuteEvent, OpenStep, StepState, StepType } from '@trestle/protocol'
import { isLeftAtEnd } from '@trestle/run-rules'
import type { Difference } from './difference.ts'

export type RecordedStep = RunRecording['steps'][number]

/** Dependencies of a replay. */
export interface ReplayOptions {
  readonly client: Pick<BridgeClient, 'next' | 'execute'>
  readonly signal: AbortSignal
}

/** A step that the replay has called. */
export interface CalledStep extends OpenStep {
  /** Whether its result is recorded. */
  readonly isRecorded: boolean
  /** When its result is delivered, relative to other steps. */
  readonly order: number
  /** Its result; undefined if it has none, so that the run waits for it. */
  readonly state: StepState | undefined
}

/** The progress of a replay. */
export interface ReplayState extends ReplayOptions {
  readonly recording: RunRecording
  readonly recordedSteps: ReadonlyMap<string, RecordedStep>
  readonly called: Map<string, CalledStep>
  /** The delivered results, oldest first. */
  readonly delivered: CalledStep[]
  readonly differences: Difference[]
  /** Why the rest of the run cannot be compared. */
  stopped?: string
}

/** Creates the state of a replay that has not started. */
export function createReplayState(recording: RunRecording, options: ReplayOptions): ReplayState {
  const reached = recording.steps.filter((step) => step.reached)
  const recordedSteps = new Map(reached.map((step) => [step.stepId, step]))
  return { ...options, recording, recordedSteps, called: new Map(), delivered: [], differences: [] }
}

/** Returns the event of a call: the recorded one with the results that were delivered so far. */
export function toEvent(replay: ReplayState): Partial<ExecuteEvent> {
  const { recording, delivered } = replay
  const results = delivered.filter(({ isRecorded }) => isRecorded).length
  const state = delivered.flatMap(({ stepId, state: result }) =>
    result ? [withInboxState(result, findInboxState(recording, stepId, results))] : [],
  )
  return { ...recording.event, controls: {}, state: state.toReversed(), runId: recording._id }
}

/** In-app messages are seen and read later, so the run did not know their last state from the start. */
function findInboxState(
  { inboxStates }: RunRecording,
  stepId: string,
  results: number,
): StepState['outputs'] | undefined {
  return inboxStates.findLast((one) => one.stepId === stepId && one.results <= results)?.outputs
}

const withInboxState = (result: StepState, outputs: StepState['outputs'] | undefined): StepState =>
  outputs === undefined ? result : { ...result, outputs }

/** Returns the steps that were called and have no delivered result. */
export function findTaken({ called, delivered }: ReplayState): readonly CalledStep[] {
  const ids = new Set(delivered.map(({ stepId }) => stepId))
  return [...called.values()].filter(({ stepId }) => !ids.has(stepId))
}

/**
 * Delivers the oldest result that is not delivered yet; returns nothing if none is left.
 *
 * @param isDone - Whether the workflow function has returned: the service then cancels waits.
 */
export function deliverNext(replay: ReplayState, isDone: boolean): CalledStep | undefined {
  const [next] = findTaken(replay)
    .filter(({ state, type }) => state !== undefined && !(isDone && isLeftAtEnd(type)))
    .toSorted((one, other) => one.order - other.order)
  if (next) replay.delivered.push(next)
  return next
}

/** Returns the type of a recorded step. Runs have no steps of type `trigger`, which only the API's older clients know. */
export const typeOf = ({ type }: RecordedStep): StepType => type as StepType

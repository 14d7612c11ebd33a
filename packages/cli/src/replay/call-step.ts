import { BridgeClientError } from '@trestle/bridge-client'
import { isObject, isOfClass, type JsonObject, type OpenStep, type StepReply, type StepState } from '@trestle/protocol'
import { toDigestResult, toEmptyResult } from '@trestle/run-rules'
import { compareReplies } from './compare-replies.ts'
import { type FieldChange, toShown } from './difference.ts'
import { isTransportFailure, toFailure } from './failure.ts'
import { findTaken, type RecordedStep, type ReplayState, toEvent, typeOf } from './replay-state.ts'

/** Added messages end immediately, in the order in which they were called; added waits end last. */
const soonest = -1e9
const latest = Number.MAX_SAFE_INTEGER

/**
 * Compares a step that the replay has called with the recorded one. Steps that store data are not executed, because
 * their handlers may change data.
 */
export async function callStep(replay: ReplayState, step: OpenStep): Promise<void> {
  const recorded = replay.recordedSteps.get(step.stepId)
  if (recorded) await callRecorded(replay, step, recorded)
  else await callAdded(replay, step)
}

async function callRecorded(replay: ReplayState, step: OpenStep, recorded: RecordedStep): Promise<void> {
  const { stepId, type } = step
  const { order, reply: before } = recorded
  const add = (state: StepState | undefined): void => {
    replay.called.set(stepId, { ...step, isRecorded: true, order: order ?? latest, state })
  }
  if (type !== typeOf(recorded)) {
    noteChange(replay, step, { fields: [{ path: 'type', before: typeOf(recorded), after: type }] })
    add(toRecordedState(recorded))
    return
  }
  if (isOfClass(type, 'data')) return add(toRecordedState(recorded))
  const outcome = await execute(replay, step)
  if (outcome.kind === 'unreached') return add(undefined)
  if (outcome.kind === 'failed') {
    const { code, message } = outcome
    const hasFailed = recorded.status === 'failed' && codeOf(recorded.error) === code
    if (!hasFailed) replay.differences.push({ kind: 'failing', stepId, type, code, message })
    return add(hasFailed ? toRecordedState(recorded) : toFailedState(step, { code, message }))
  }
  const { reply: after } = outcome
  if (before === null) {
    if (recorded.status !== 'failed') return add(toRecordedState(recorded))
    const message = `failed with ${codeOf(recorded.error) ?? 'an error'}, and no longer fails`
    replay.differences.push({ kind: 'fixed', stepId, type, message, after: toShown(after) })
    return add({ stepId, outputs: toEmptyResult(type), state: { status: 'completed' } })
  }
  if (before.skip !== after.options.skip) noteSkip(replay, step, { before, after })
  else if (!before.skip) {
    const fields = compareReplies(before, after)
    if (fields.length > 0) noteChange(replay, step, { fields, before, after })
  }
  add(toRecordedState(recorded))
}

async function callAdded(replay: ReplayState, step: OpenStep): Promise<void> {
  const { stepId, type } = step
  if (isOfClass(type, 'data')) {
    const message = `the ${type} step is new; a replay does not run its handler`
    replay.differences.push({ kind: 'added', stepId, type, message })
    replay.stopped = `the run was compared up to the new step ${stepId}, which has no recorded result`
    return
  }
  const outcome = await execute(replay, step)
  const isMessage = isOfClass(type, 'message')
  const order = isMessage ? soonest + replay.called.size : latest
  const add = (state: StepState | undefined): void => {
    replay.called.set(stepId, { ...step, isRecorded: false, order, state })
  }
  if (outcome.kind === 'unreached') return add(undefined)
  if (outcome.kind === 'failed') {
    const { code, message } = outcome
    replay.differences.push({ kind: 'failing', stepId, type, code, message })
    return add(toFailedState(step, { code, message }))
  }
  const { reply: after } = outcome
  const isSkipped = after.options.skip
  if (!isSkipped)
    replay.differences.push({ kind: 'added', stepId, type, message: `the ${type} step is new`, after: toShown(after) })
  const outputs = type === 'digest' ? toOwnDigest(replay) : toEmptyResult(type)
  add({ stepId, outputs, state: { status: isSkipped ? 'skipped' : 'completed' } })
}

interface Replies {
  readonly before: NonNullable<RecordedStep['reply']>
  readonly after: StepReply
}

function noteSkip({ differences }: ReplayState, { stepId, type }: OpenStep, { before, after }: Replies): void {
  if (before.skip)
    differences.push({ kind: 'added', stepId, type, message: 'the step no longer skips itself', after: toShown(after) })
  else differences.push({ kind: 'lost', stepId, type, message: 'the step now skips itself', before: toShown(before) })
}

interface Change extends Partial<Replies> {
  readonly fields: readonly FieldChange[]
}

function noteChange({ differences }: ReplayState, { stepId, type }: OpenStep, { fields, before, after }: Change): void {
  const names = [...new Set(fields.map(({ path }) => path.split('/')[0] ?? path))]
  const message = `${names.join(', ')} changed`
  const replies = before && after ? { before: toShown(before), after: toShown(after) } : {}
  differences.push({ kind: 'changed', stepId, type, message, fields, ...replies })
}

type Outcome =
  | { readonly kind: 'replied'; readonly reply: StepReply }
  | { readonly kind: 'unreached' }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }

async function execute(replay: ReplayState, { stepId }: OpenStep): Promise<Outcome> {
  const { client, recording, signal } = replay
  const taken = findTaken(replay).map((one) => ({ stepId: one.stepId }))
  const { stepControls, workflowId } = recording
  const controls: JsonObject = (Object.hasOwn(stepControls, stepId) ? stepControls[stepId] : undefined) ?? {}
  const event = { ...toEvent(replay), controls, next: true as const, taken }
  try {
    const reply = await client.execute({ workflowId, stepId, event }, { signal })
    return reply.metadata?.reached === false ? { kind: 'unreached' } : { kind: 'replied', reply }
  } catch (error) {
    if (!(error instanceof BridgeClientError) || isTransportFailure(error)) throw error
    return { kind: 'failed', ...toFailure(error) }
  }
}

function toRecordedState(step: RecordedStep): StepState | undefined {
  const { stepId, status, order, result, error } = step
  if (order === null) return undefined
  return { stepId, outputs: result ?? toEmptyResult(typeOf(step)), state: { status, ...(error != null && { error }) } }
}

const toFailedState = ({ stepId, type }: OpenStep, error: object): StepState => ({
  stepId,
  outputs: toEmptyResult(type),
  state: { status: 'failed', error },
})

/** A digest without other events contains the run's own event. */
function toOwnDigest({ recording: { _id: id, createdAt, event } }: ReplayState): JsonObject {
  return toDigestResult([{ id, atMs: Date.parse(createdAt), payload: { ...event?.payload } }])
}

const codeOf = (error: unknown): string | undefined =>
  isObject(error) && typeof error['code'] === 'string' ? error['code'] : undefined

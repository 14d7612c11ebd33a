import { isOfClass } from '@trestle/protocol'
import { never } from '../../base/never.ts'
import { checkStepCall } from '../../workflow/steps/create-step.ts'
import type { StepCall } from '../../workflow/steps/step-call.ts'
import { stepKinds } from '../../workflow/steps/step-kinds.ts'
import type { RecordedCall, RecordOptions } from './recorded-run.ts'

const maxCalls = 2000

/** A run on sample data, as it stands. */
export interface Recording {
  readonly calls: RecordedCall[]
  readonly doubles: RecordedCall[]
  readonly open: { readonly call: StepCall; readonly release: (result: unknown) => void }[]
  readonly ids: Set<string>
  readonly options: RecordOptions
  /** The steps that were done, in that order. */
  readonly done: string[]
  /** Promises that nothing has used yet, by step. */
  readonly unused: Map<string, StepCall>
  hasWrongCall: boolean
  settled: boolean
  over: boolean
  error: { readonly thrown: unknown } | undefined
  limit: Error | undefined
  awaitedIo: boolean
  /** How many steps were called when it last awaited other work. */
  callsAtWork: number
  /** Counts step calls and the function's end. */
  activity: number
  /** How often the limit was thrown. */
  refusals: number
  /** Wakes the loop that waits for anything to happen. */
  wake: () => void
}

/**
 * Creates the record of a run that has not started.
 *
 * @param options - The limits.
 */
export function createRecording(options: RecordOptions): Recording {
  return {
    calls: [],
    doubles: [],
    open: [],
    ids: new Set(),
    options,
    done: [],
    unused: new Map(),
    hasWrongCall: false,
    settled: false,
    over: false,
    error: undefined,
    limit: undefined,
    awaitedIo: false,
    callsAtWork: 0,
    activity: 0,
    refusals: 0,
    wake: () => undefined,
  }
}

/**
 * Notes that a run has gone beyond a limit; its steps are then not taken over.
 *
 * @param recording - The run.
 * @param reason - What the function did.
 * @returns What is to be thrown at the function.
 */
export function exceed(recording: Recording, reason: string): Error {
  recording.limit ??= new Error(`the function ${reason}`)
  recording.wake()
  return recording.limit
}

/**
 * Notes a step call of the function. The step is done when it is released.
 *
 * @param recording - The run.
 * @param call - The step call.
 * @throws TypeError - The step call was written wrongly.
 * @throws Error - The run has gone beyond a limit.
 */
export function recordStep(recording: Recording, call: StepCall): Promise<unknown> {
  if (recording.limit) return refuse(recording, recording.limit)
  if (recording.over) return never()
  try {
    checkStepCall(call)
  } catch (error) {
    recording.hasWrongCall = true
    throw error
  }
  const { calls, doubles, open, ids, done } = recording
  // Out of the call and not out of its promise: the only way out of a loop that does not await.
  if (calls.length + doubles.length >= maxCalls) throw exceed(recording, `called more than ${maxCalls} steps`)
  const waiting = open.map((one) => one.call.id)
  const noted = { id: call.id, call, done: done.length, open: waiting }
  if (ids.has(call.id)) doubles.push(noted)
  else calls.push(noted)
  ids.add(call.id)
  recording.activity++
  recording.wake()
  const promise = new Promise((release) => open.push({ call, release }))
  const isTiming = isOfClass(stepKinds[call.kind].type, 'wait', 'throttle')
  return isTiming ? noticeUse(recording, call, promise) : promise
}

/** Notes that a promise is awaited, raced or given a callback: each of these asks for its constructor. */
function noticeUse({ unused }: Recording, call: StepCall, promise: Promise<unknown>): Promise<unknown> {
  unused.set(call.id, call)
  Object.defineProperty(promise, 'constructor', {
    configurable: true,
    get() {
      unused.delete(call.id)
      return Promise
    },
  })
  return promise
}

/** A loop that does not await ends by the throw; one that catches it ends by awaiting for ever. */
function refuse(recording: Recording, limit: Error): Promise<never> {
  recording.refusals++
  if (recording.refusals % 2 === 1) throw limit
  return never()
}

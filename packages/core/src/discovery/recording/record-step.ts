import { isOfClass } from '@trestle/protocol'
import { never } from '../../base/never.ts'
import { checkStepCall } from '../../workflow/steps/create-step.ts'
import type { StepCall } from '../../workflow/steps/step-call.ts'
import { stepKinds } from '../../workflow/steps/step-kinds.ts'
import type { RecordedCall, RecordOptions } from './recorded-run.ts'

const maxCalls = 2000

/** The state of a run on sample data. */
export interface Recording {
  readonly calls: RecordedCall[]
  readonly doubles: RecordedCall[]
  readonly open: { readonly call: StepCall; readonly release: (result: unknown) => void }[]
  readonly ids: Set<string>
  readonly options: RecordOptions
  /** The completed steps, in order. */
  readonly done: string[]
  /** Steps whose promise has not been used yet. */
  readonly unused: Map<string, StepCall>
  hasWrongCall: boolean
  settled: boolean
  over: boolean
  error: { readonly thrown: unknown } | undefined
  limit: Error | undefined
  awaitedIo: boolean
  /** The number of step calls when it last awaited other work. */
  callsAtWork: number
  /** The number of step calls, plus one when the function has ended. */
  activity: number
  /** How many times the limit error was thrown. */
  refusals: number
  /** Wakes the loop that waits for anything to happen. */
  wake: () => void
}

/**
 * Creates the recording of a run that has not started.
 *
 * @param options - The limits of the run.
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
 * Records that a run has exceeded a limit; its steps are then ignored.
 *
 * @param recording - The recording of the run.
 * @param reason - How the limit was exceeded, for the message.
 * @returns The error to throw into the function.
 */
export function exceed(recording: Recording, reason: string): Error {
  recording.limit ??= new Error(`the function ${reason}`)
  recording.wake()
  return recording.limit
}

/**
 * Records a step call of the function. The step completes when it is released.
 *
 * @param recording - The run.
 * @param call - The step call.
 * @throws TypeError - The step call is invalid.
 * @throws Error - The run has exceeded a limit.
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
  // Throws synchronously instead of rejecting, because that is the only way to stop a loop without await.
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

/** Records that a promise is awaited, raced or has a callback: all of these read its `constructor`. */
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

/**
 * Stops a run after a limit: a loop without `await` ends with the error, and one that catches the error awaits forever.
 */
function refuse(recording: Recording, limit: Error): Promise<never> {
  recording.refusals++
  if (recording.refusals % 2 === 1) throw limit
  return never()
}

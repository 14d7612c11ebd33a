import type { JsonObject, StepManifest } from '@trestle/protocol'
import type { StepFailure } from '../report/run-report.ts'
import type { Play, Settlement, StepAnswer, Theatre } from './simulation.ts'
import { toWaitEnd } from './wait-end.ts'

/** A step the bridge has answered. */
export interface AnsweredStep {
  /** The trigger it belongs to. */
  readonly play: Play
  /** The step. */
  readonly step: StepManifest
  /** What the bridge said. */
  readonly answer: StepAnswer
}

const notRead = { seen: false, read: false, lastSeenDate: null, lastReadDate: null }

/**
 * Decides what the service makes of a bridge's answer: whether it waits, what it stores, whether the run goes on. A
 * failed step does not end the run.
 *
 * @param theatre - Where digests and throttles of several triggers meet.
 * @param answered - The step and the answer.
 */
export function settleStep(theatre: Theatre, answered: AnsweredStep): Settlement {
  const { step, answer } = answered
  const { reply, error, result } = answer
  if (error || !reply) return { status: 'failed', result: () => ({}), ...(error && { error }) }
  if (reply.options.skip) return { status: 'skipped', result: () => ({}) }
  const { outputs } = reply
  switch (step.type) {
    case 'digest':
    case 'delay':
    case 'throttle':
      return settleTiming(theatre, answered, outputs)
    case 'custom':
    case 'http_request':
      return { status: 'completed', result: () => outputs }
    default:
      return { status: 'completed', result: () => result ?? (step.type === 'in_app' ? notRead : {}) }
  }
}

function settleTiming(theatre: Theatre, { play, step, answer }: AnsweredStep, outputs: JsonObject): Settlement {
  const { nowMs, trigger } = play
  const untilMs = toWaitEnd(outputs, nowMs, trigger.payload)
  if (typeof untilMs === 'string') return noSuchTime(step, untilMs)
  const { stepId } = step
  if (step.type === 'delay')
    return { status: 'completed', untilMs, result: () => answer.result ?? { duration: untilMs - nowMs } }
  if (step.type === 'throttle') {
    const counted = answer.result ?? theatre.throttles.count(stepId, outputs, { nowMs, endMs: untilMs })
    const held = counted['throttled'] === true
    return { status: held ? 'skipped' : 'completed', result: () => counted, ...(held && { rest: 'skipped' }) }
  }
  const brought = theatre.digests.bring(stepId, outputs, { id: trigger.id, atMs: nowMs, payload: trigger.payload })
  if (brought === 'merged') return { status: 'merged', result: () => ({}), rest: 'merged' }
  if (brought === 'passed') return { status: 'skipped', result: () => ({}) }
  return {
    status: 'completed',
    untilMs,
    result: () => {
      const collected = theatre.digests.close(stepId, outputs)
      return answer.result ?? collected
    },
  }
}

/** The handler gave something the service cannot wait for. */
function noSuchTime({ stepId }: StepManifest, why: string): Settlement {
  const message = `Step "${stepId}" cannot wait: ${why}.`
  const error: StepFailure = {
    code: 'ExecutionStateOutputInvalidError',
    status: 400,
    message,
    data: [{ path: '', message: why }],
  }
  return { status: 'failed', result: () => ({}), error }
}

import { type OpenStep, stepClasses } from '@trestle/protocol'
import { result as resultOf } from '../../context/step-stub.ts'
import type { StepFailure } from '../../report/run-report.ts'
import type { TriggerRun } from '../calls/trigger-run.ts'
import { toDigestResult } from '../timing/digest-buffer.ts'
import { toWaitEnd } from '../timing/wait-end.ts'
import type { ExecutedStep } from './record-step.ts'
import type { Settlement, Simulation } from './simulation.ts'

/** What several triggers share. */
type Shared = Pick<Simulation, 'digests' | 'throttles'>

/**
 * Decides what the service makes of a bridge's answer: whether it waits, what it stores, whether the run goes on. A
 * failed step does not end the run.
 *
 * @param simulation - The digests and throttles that several triggers share.
 * @param run - The run.
 * @param executed - The step and the answer.
 */
export function settleStep(simulation: Shared, run: TriggerRun, executed: ExecutedStep): Settlement {
  const { step, answer } = executed
  const { reply, error, result } = answer
  if (error || !reply) return { status: 'failed', result: () => ({}), ...(error && { error }) }
  if (reply.options.skip) return { status: 'skipped', result: () => ({}) }
  const { outputs } = reply
  switch (stepClasses[step.type]) {
    case 'wait':
    case 'throttle':
      return settleTiming(simulation, run, executed)
    case 'data':
      return { status: 'completed', result: () => outputs }
    case 'message':
      return { status: 'completed', result: () => result ?? (step.type === 'in_app' ? resultOf.inApp() : {}) }
  }
}

function settleTiming(simulation: Shared, run: TriggerRun, { step, answer }: ExecutedStep): Settlement {
  const { outputs = {} } = answer.reply ?? {}
  const { nowMs, trigger } = run
  const untilMs = toWaitEnd(outputs, nowMs, trigger.payload)
  if (typeof untilMs === 'string') return noSuchTime(step, untilMs)
  const { stepId } = step
  if (step.type === 'delay')
    return { status: 'completed', untilMs, result: () => answer.result ?? { duration: untilMs - nowMs } }
  if (step.type === 'throttle') {
    const counted = answer.result ?? simulation.throttles.count(stepId, outputs, { nowMs, endMs: untilMs })
    const held = counted['throttled'] === true
    return { status: held ? 'skipped' : 'completed', result: () => counted, ...(held && { rest: 'skipped' }) }
  }
  const event = { id: trigger.id, atMs: nowMs, payload: trigger.payload }
  const added = simulation.digests.add(stepId, outputs, event)
  if (added === 'merged') return { status: 'merged', result: () => ({}), rest: 'merged' }
  if (added === 'passed') return { status: 'completed', result: () => answer.result ?? toDigestResult([event]) }
  return {
    status: 'completed',
    untilMs,
    result: () => {
      const collected = simulation.digests.close(stepId, outputs)
      return answer.result ?? collected
    },
  }
}

/** The failure of a step whose handler returned something the service cannot wait for. */
function noSuchTime({ stepId, type }: OpenStep, why: string): Settlement {
  const message = `Step "${stepId}" cannot wait: ${why}.`
  const error: StepFailure = {
    code: 'ExecutionStateOutputInvalidError',
    status: 400,
    message,
    data: { stepId, type, issues: [{ path: '', message: why }] },
  }
  return { status: 'failed', result: () => ({}), error }
}

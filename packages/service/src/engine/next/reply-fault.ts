import type { NextReply, OpenStep } from '@trestle/protocol'
import { isStepId } from '../../bridge/workflows/check-manifests.ts'
import type { DetailName } from '../decision/detail.ts'
import type { NextJob } from '../decision/next-turn.ts'

/** Why a run cannot continue after a reply, as a history entry. */
export interface RunFault {
  readonly name: DetailName
  /** Data of the entry. */
  readonly raw: unknown
}

/** Returns the steps that a reply names. */
export function toNamedSteps(reply: NextReply): readonly OpenStep[] {
  if ('step' in reply) return [reply.step]
  return 'open' in reply ? reply.open : []
}

/**
 * Validates a reply: step ids must be storable, the number of steps is limited, and the reply must not run a step that
 * was dispatched or has a result.
 *
 * @param jobs - The jobs of the run.
 * @param maxSteps - The maximum number of steps of a run.
 * @returns The fault; `undefined` if the reply is valid.
 */
export function findReplyFault(reply: NextReply, jobs: readonly NextJob[], maxSteps: number): RunFault | undefined {
  const steps = toNamedSteps(reply)
  const invalidStep = steps.find(({ stepId }) => !isStepId(stepId))
  if (invalidStep) {
    const message = 'The bridge named a step whose id is not 1 to 255 printable characters other than "." and "..".'
    return { name: 'runFailed', raw: { code: 'ResponseParseError', status: 502, message, data: null } }
  }
  const jobsByStep = new Map(jobs.map((job) => [job.stepId, job]))
  const count = jobs.length + steps.filter(({ stepId }) => !jobsByStep.has(stepId)).length
  if (count > maxSteps) {
    const message = `The run has more than ${maxSteps} steps: look for an endless loop, or raise the service's maxSteps.`
    return { name: 'tooManySteps', raw: { message, maxSteps } }
  }
  const job = 'step' in reply ? jobsByStep.get(reply.step.stepId) : undefined
  if (!job || job.status === 'pending') return undefined
  const message = `The bridge ran step "${job.stepId}" again, although it is ${job.status}.`
  return {
    name: 'runFailed',
    raw: { code: 'StepAlreadyExistsError', status: 502, message, data: { stepId: job.stepId } },
  }
}

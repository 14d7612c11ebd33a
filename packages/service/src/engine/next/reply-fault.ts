import type { NextReply, OpenStep } from '@trestle/protocol'
import { isStepId } from '../../bridge/workflows/check-manifests.ts'
import type { DetailName } from '../decision/detail.ts'
import type { NextJob } from '../decision/next-turn.ts'

/** Why a run cannot go on with what its bridge has answered, as a line of its history. */
export interface RunFault {
  /** The name of the line. */
  readonly name: DetailName
  /** Data about it. */
  readonly raw: unknown
}

/**
 * Returns the steps that a reply names.
 *
 * @param reply - The reply.
 */
export function toNamedSteps(reply: NextReply): readonly OpenStep[] {
  if ('step' in reply) return [reply.step]
  return 'open' in reply ? reply.open : []
}

/**
 * Looks for what a run cannot take of a reply: a step id that cannot be stored, more steps than a run may have, and a step that
 * was run although it has a result or was handed out.
 *
 * @param reply - The reply.
 * @param jobs - The jobs of the run.
 * @param maxSteps - How many steps a run may have.
 * @returns The fault; `undefined` if there is none.
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
    const message = `The run has more than ${maxSteps} steps: look for a loop without an end, or raise the service's maxSteps.`
    return { name: 'tooManySteps', raw: { message, maxSteps } }
  }
  const job = 'step' in reply ? jobsByStep.get(reply.step.stepId) : undefined
  if (!job || job.status === 'pending') return undefined
  const message = `The bridge ran step "${job.stepId}" again, which is ${job.status}.`
  return {
    name: 'runFailed',
    raw: { code: 'StepAlreadyExistsError', status: 502, message, data: { stepId: job.stepId } },
  }
}

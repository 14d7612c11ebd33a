import type { ExecuteEvent, JsonObject, StepState } from '@trestle/protocol'
import type { EventOptions } from '../../context/run-options.ts'
import { toSubscriber } from '../../context/subscriber.ts'

/** The parts of an event that depend on the step. */
export interface StepPart {
  readonly payload: JsonObject
  /** The step's controls, before rendering. */
  readonly controls: JsonObject
  /** The stored state of earlier steps, newest first. */
  readonly state: readonly StepState[]
  /** The id that the service assigned to the step's job. */
  readonly jobId?: string
}

/**
 * Creates the body of an `execute` or `preview` call, with every part that the service sends.
 *
 * @param options - The options of the run.
 */
export function toEvent({ subscriber, env, context, actor }: EventOptions<unknown>, part: StepPart): ExecuteEvent {
  return {
    ...part,
    subscriber: toSubscriber(subscriber),
    env: { name: 'Development', type: 'dev', ...env },
    context: context ?? {},
    ...(actor && { actor: typeof actor === 'string' ? { subscriberId: actor } : actor }),
  }
}

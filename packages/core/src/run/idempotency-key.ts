import type { ExecuteEvent, Hmac } from '@trestle/protocol'

const keyPurpose = 'trestle.idempotency-key'

/** What a step of a run is known by. */
export interface StepIdentity {
  readonly workflowId: string
  readonly stepId: string
  /** The call's body; the payload as it was sent. */
  readonly event: Pick<ExecuteEvent, 'state' | 'subscriber' | 'jobId'> & { readonly payload: unknown }
}

/**
 * Gives the key that is the same for every attempt at a step of a run: the service's job id, else a hash of what
 * makes the run. 64 hex digits in that case.
 *
 * @param identity - The step and its run.
 * @param hmac - The hash.
 * @returns A promise only where the runtime's hash is asynchronous.
 * @source Protocol, "Running a step".
 */
export function toIdempotencyKey({ workflowId, stepId, event }: StepIdentity, hmac: Hmac): string | Promise<string> {
  if (event.jobId !== undefined) return event.jobId
  const { payload, subscriber, state } = event
  const text = JSON.stringify([workflowId, stepId, payload, subscriber.subscriberId ?? null, state])
  const digest = hmac.digest(keyPurpose, '', new TextEncoder().encode(text))
  return digest instanceof Promise ? digest.then(toHex) : toHex(digest)
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

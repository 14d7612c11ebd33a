import { isObject, toHex } from '@trestle/protocol'
import { parseBody } from '../../call/parse.ts'
import type { RunScope } from '../state/step-run.ts'

const keyPurpose = 'trestle.idempotency-key'

/**
 * Returns a key that is the same for every attempt at a step of a run: a hash of the run id and the step id, as 64 hex
 * digits. Without a run id it is the service's job id, or a hash of the run's data.
 *
 * @param scope - The run, with its payload and state as sent.
 * @returns A promise only if the runtime's HMAC is asynchronous.
 * @source bridge-protocol.md#running-a-step
 */
export function toIdempotencyKey({ workflow, stepId, event, hmac }: RunScope): string | Promise<string> {
  if (event.runId) return hash(hmac, [event.runId, stepId])
  if (event.jobId) return event.jobId
  // Parsed again, because the workflow function may have changed its data.
  const { payload, subscriber, state } = parseBody(event.body)
  const subscriberId = isObject(subscriber) ? subscriber['subscriberId'] : undefined
  return hash(hmac, [workflow.id, stepId, payload ?? {}, subscriberId ?? null, state ?? []])
}

function hash(hmac: RunScope['hmac'], parts: readonly unknown[]): string | Promise<string> {
  const digest = hmac.digest(keyPurpose, '', new TextEncoder().encode(JSON.stringify(parts)))
  return digest instanceof Promise ? digest.then(toHex) : toHex(digest)
}

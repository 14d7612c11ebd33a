import { isObject } from '@trestle/protocol'
import { cleanText } from '../base/clean-text.ts'
import { mapInOrder } from '../base/map-in-order.ts'
import { errorText } from '../catalogue/error-texts.ts'
import { CommandError } from '../terminal/command-error.ts'
import { listRunIds, readTrigger, type TriggerQuery } from './list-run-ids.ts'
import { readEvents } from './read-events.ts'
import { callService, openService, type ServiceAccess, ServiceError } from './service-access.ts'

/** Why a step failed. */
export interface RunError {
  /** The error code of the bridge or the bridge call; null if there is none. */
  readonly code: string | null
  readonly message: string
  /** The fix from the error page; null if the page does not have the code. */
  readonly fix: string | null
}

/** An event of a step, or the final event of a run. */
export interface RunEvent {
  readonly runId: string
  /** The step; null for the run itself. */
  readonly stepId: string | null
  /** The status of the step or run. */
  readonly status: string
  readonly detail: string
  /** `Success`, `Warning`, `Failed`, `Pending` or `Queued`. */
  readonly kind: string
  /** Time of the event, in milliseconds since 1970. */
  readonly atMs: number
  /** Why it failed; null for everything else. */
  readonly error: RunError | null
}

/** The result of a followed trigger. */
export interface FollowedTrigger {
  /** All its runs, in the order in which they were created. */
  readonly runs: readonly FollowedRun[]
  /** Why it ended before it had created a run for each recipient; null if it did not. */
  readonly incomplete: string | null
}

/** The result of a followed run. */
export interface FollowedRun {
  readonly runId: string
  /** `completed`, `failed`, `canceled` or `merged`. */
  readonly status: string
  /** Why it failed; null if it did not fail or the reason is unknown. */
  readonly error: RunError | null
  /** The number of messages that a provider did not accept, also in followed child runs. They do not fail the run. */
  readonly undelivered: number
}

/** The trigger to follow, and options. */
export interface FollowOptions extends TriggerQuery {
  /** Whether waits are skipped. */
  readonly skipWaits: boolean
  readonly onEvent: (event: RunEvent) => void
}

/** The service allows 100 streams, which the studio and awaited child runs use too. */
const maxStreams = 30

/**
 * Follows the runs of a trigger until they end. Only the local service reports events as they happen.
 *
 * @throws {CommandError} The trigger created no run.
 */
export async function followRuns(access: ServiceAccess, options: FollowOptions): Promise<FollowedTrigger> {
  const runs: FollowedRun[] = []
  const ids = listRunIds(access, options)
  for await (const run of mapInOrder(ids, (id) => followRun(access, id, options), maxStreams)) runs.push(run)
  const { reason = null } = (await readTrigger(access, options)) ?? {}
  if (runs.length > 0) return { runs, incomplete: reason }
  throw new CommandError(
    `The trigger ${options.transactionId} created no run${reason === null ? '' : `: ${reason}`}.`,
    {
      ...(reason === null && {
        fix: 'Check that the recipient exists, that a topic has subscribers, and that the workflow is active.',
      }),
    },
  )
}

async function followRun(access: ServiceAccess, runId: string, options: FollowOptions): Promise<FollowedRun> {
  const { signal, skipWaits, onEvent } = options
  const path = `/v1/studio/runs/${encodeURIComponent(runId)}/events?until=end`
  const { body } = await openService(access, { method: 'GET', path, signal })
  let status = 'running'
  let failure: RunError | null = null
  let undelivered = 0
  const skipped = new Set<unknown>()
  const children: Promise<FollowedRun>[] = []
  for await (const event of readEvents(body ?? (async function* () {})())) {
    status = String(event['runStatus'])
    const jobStatus = event['jobStatus']
    const error = toError(event)
    failure = error ?? failure
    const isUndelivered = event['status'] === 'Failed' && jobStatus === 'completed'
    if (isUndelivered) undelivered++
    onEvent({
      runId,
      stepId: typeof event['stepId'] === 'string' ? event['stepId'] : null,
      status: isUndelivered ? 'not sent' : typeof jobStatus === 'string' ? jobStatus : status,
      detail: String(event['detail']),
      kind: String(event['status']),
      atMs: Date.parse(String(event['at'])),
      error,
    })
    const { jobId } = event
    // Several events report the same wait; skip it once. A step that is retried waits several times.
    if (jobStatus !== 'delayed') skipped.delete(jobId)
    if (!skipWaits || jobStatus !== 'delayed' || skipped.has(jobId)) continue
    skipped.add(jobId)
    if (await skipWait(access, { jobId, signal })) continue
    const started = await findRunningChildren(access, { runId, stepId: event['stepId'], signal })
    for (const childId of started) {
      const child = followRun(access, childId, options)
      // It can fail while events of the parent are awaited. Its own turn throws the error.
      child.catch(() => {})
      children.push(child)
    }
  }
  for (const child of children) undelivered += (await child).undelivered
  return { runId, status, error: status === 'failed' ? failure : null, undelivered }
}

/** Returns false if the step waits for the runs that it triggered, or not any more. */
async function skipWait(
  access: ServiceAccess,
  { jobId, signal }: { readonly jobId: unknown; readonly signal: AbortSignal },
): Promise<boolean> {
  const path = `/v1/studio/jobs/${jobId}/skip-wait`
  try {
    await callService(access, { method: 'POST', path, signal })
    return true
  } catch (error) {
    if (error instanceof ServiceError && error.status === 409) return false
    throw error
  }
}

async function findRunningChildren(
  access: ServiceAccess,
  { runId, stepId, signal }: { readonly runId: string; readonly stepId: unknown; readonly signal: AbortSignal },
): Promise<readonly string[]> {
  const run = await callService(access, { method: 'GET', path: `/v1/studio/runs/${runId}`, signal })
  const descendants = isObject(run) && Array.isArray(run['descendants']) ? run['descendants'].filter(isObject) : []
  return descendants.flatMap(({ _id, parentRunId, stepId: from, status }) =>
    parentRunId === runId && from === stepId && status === 'running' && typeof _id === 'string' ? [_id] : [],
  )
}

/** The data of a failure contains the bridge's error or a reason. */
function toError({ status, raw }: Readonly<Record<string, unknown>>): RunError | null {
  if (status !== 'Failed' || !isObject(raw)) return null
  const message = raw['message'] ?? raw['reason']
  if (typeof message !== 'string') return null
  const code = typeof raw['code'] === 'string' ? cleanText(raw['code']) : null
  return { code, message: cleanText(message), fix: (code !== null && errorText(code)?.fix) || null }
}

import type { JsonObject } from '@trestle/protocol'
import { noDevice } from '../../channels/webhook/webhook-draft.ts'
import { details } from '../../engine/decision/detail.ts'
import { compact, readText, toObject } from '../../json/json.ts'
import type { MessageRow } from '../../store/schema/message.ts'
import type { JobRow, RunRow } from '../../store/schema/run.ts'
import type { ExecutionDetailRow } from '../../store/schema/trace.ts'
import type { StoredStep } from '../../store/schema/workflow.ts'
import type { Session } from '../../store/store.ts'

type Line = Pick<ExecutionDetailRow, 'runId' | 'jobId' | 'detail' | 'status' | 'raw'>
type Unsent = Pick<MessageRow, 'runId' | 'jobId' | 'status' | 'errorId' | 'errorText' | 'integrationId'>

/**
 * The reasons why steps sent nothing, as reported by their runs. By row id, because a page of runs may have many steps.
 */
export interface ReasonRows {
  /** By step, the last history entry that gives a reason. */
  readonly lines: ReadonlyMap<string | null, Line>
  /** By run, the last history entry that gives a reason for its failure outside its steps. */
  readonly failures: ReadonlyMap<string, Line>
  /** By step, the first message that was not sent. */
  readonly unsent: ReadonlyMap<string | null, Unsent>
  /** Runs with a message that was not sent. */
  readonly warned: ReadonlySet<string | null>
}

/** The statuses of messages that did not reach anyone. */
const unsentStatuses: readonly MessageRow['status'][] = ['warning', 'error']

/**
 * Reads the reasons why steps of some runs sent nothing.
 *
 * @param db - The session.
 * @param runIds - Row ids of the runs, at least one.
 */
export async function loadReasonRows(db: Session, runIds: readonly string[]): Promise<ReasonRows> {
  const [details, messages] = await Promise.all([
    db
      .selectFrom('executionDetails')
      .select(['runId', 'jobId', 'detail', 'status', 'raw'])
      .where('runId', 'in', runIds)
      .where((where) =>
        where.or([
          where('detail', 'in', [...writers.keys()]),
          where.and([where('jobId', 'is', null), where('status', '=', 'Failed')]),
        ]),
      )
      .orderBy('id')
      .execute(),
    db
      .selectFrom('messages')
      .select(['runId', 'jobId', 'status', 'errorId', 'errorText', 'integrationId'])
      .where('runId', 'in', runIds)
      .where('status', 'in', unsentStatuses)
      .orderBy('id', 'desc')
      .execute(),
  ])
  return {
    lines: new Map(details.filter(({ detail }) => writers.has(detail)).map((line) => [line.jobId, line])),
    failures: new Map(details.filter(isFailureOfRun).map((line) => [line.runId, line])),
    unsent: new Map(messages.map((message) => [message.jobId, message])),
    warned: new Set(messages.map(({ runId }) => runId)),
  }
}

const isFailureOfRun = ({ jobId, status }: Line): boolean => jobId === null && status === 'Failed'

/** A step and its run. */
export interface ReasonSubject {
  readonly job: Pick<JobRow, 'id' | 'type' | 'status' | 'error' | 'runId'>
  readonly run: Pick<RunRow, 'externalSubscriberId' | 'digestedRunId' | 'tenant'>
}

/**
 * Returns why a step did not send, in one sentence with what it refers to; null for a step that did, or may still.
 *
 * @param subject - The step and its run.
 * @param rows - The result of {@link loadReasonRows}.
 */
export function toStepReason(subject: ReasonSubject, rows: ReasonRows): JsonObject | null {
  const { job } = subject
  if (job.status === 'failed') {
    const { code, message } = toObject(job.error === null ? null : JSON.parse(job.error))
    return compact({ kind: 'failed', message: readText(message) ?? 'The step failed.', code: readText(code) })
  }
  const message = rows.unsent.get(job.id)
  if (message) return toMessageReason(message)
  const line = rows.lines.get(job.id)
  if (job.status === 'completed' && line?.detail === noDevice) return { kind: 'address', message: noDevice }
  if (job.status !== 'skipped' && job.status !== 'merged' && job.status !== 'canceled') return null
  const writer = line && writers.get(line.detail)
  if (!writer) return null
  return writer({ ...subject, channel: channelNames[job.type] ?? job.type, raw: toObject(parse(line.raw)) })
}

/**
 * Returns why a run failed outside its steps: the message from the bridge, or from the service.
 *
 * @param runId - Row id of the run.
 * @param rows - What {@link loadReasonRows} read.
 */
export function toRunReason(runId: string, { failures }: ReasonRows): JsonObject | null {
  const line = failures.get(runId)
  if (!line) return null
  const { message, code } = toObject(parse(line.raw))
  return compact({ kind: 'failed', message: readText(message) ?? line.detail, code: readText(code) })
}

function toMessageReason({ status, errorId, errorText, integrationId }: Unsent): JsonObject {
  const isUnreachable = status === 'warning' && errorId !== 'complained'
  const kind = errorId === 'canceled' ? 'canceled' : isUnreachable ? 'address' : 'provider'
  return compact({
    kind,
    message: errorText ?? 'The message was not sent.',
    code: errorId ?? undefined,
    integrationId: kind === 'provider' ? (integrationId ?? undefined) : undefined,
  })
}

interface ReasonInput extends Omit<ReasonSubject, 'job'> {
  readonly channel: string
  readonly raw: JsonObject
}
type Writer = (input: ReasonInput) => JsonObject

const channelNames: Readonly<Record<string, string>> = {
  ...{ in_app: 'In-app', email: 'Email', sms: 'SMS', push: 'Push', chat: 'Chat', tool: 'Tool' },
}

const same =
  (kind: string, message: string): Writer =>
  () => ({ kind, message })

/** The cause of a cancellation, as recorded by `cancelRun`; absent in runs from earlier versions. */
const cancelers: ReadonlyMap<unknown, string> = new Map([
  ['api', 'Canceled by an API call for its transaction'],
  ['studio', 'Canceled in the studio'],
  ['subscriber', 'Canceled because the subscriber was deleted'],
  ['parent', 'Canceled with the run whose step awaited it'],
])

/** The sentences, by the history entry that the engine has written. */
const writers: ReadonlyMap<string, Writer> = new Map([
  [details.filtered.detail, toPreferenceReason],
  [details.skipped.detail, same('skip', 'Skipped by its own condition.')],
  [details.unreachable.detail, same('address', 'The subscriber has no address for this channel.')],
  [noDevice, same('address', noDevice)],
  [details.throttled.detail, toThrottleReason],
  [details.skippedAfterThrottle.detail, same('throttle', 'Held back by the throttle before it.')],
  [details.digestMerged.detail, toMergeReason],
  [details.digestLeft.detail, same('unreached', 'Skipped: no remaining step uses the digest.')],
  [details.digestOfFailedRun.detail, same('unreached', 'Skipped: the run failed before the digest ended.')],
  [details.neverReached.detail, same('unreached', 'Not reached: the workflow ended without awaiting it.')],
  [details.delayLeft.detail, same('unreached', 'Skipped: the run ended before the delay did.')],
  [details.eventLeft.detail, same('unreached', 'Skipped: the run ended before the event arrived.')],
  [details.canceled.detail, toCancelReason],
])

function toCancelReason({ raw: { by, who, event, runId } }: ReasonInput): JsonObject {
  const name = by === 'event' ? readText(event) : undefined
  const cause = name === undefined ? (cancelers.get(by) ?? 'Canceled with its run') : `Canceled by the event "${name}"`
  const caller = readText(who)
  const message = caller === undefined ? `${cause}.` : `${cause} (${caller}).`
  return compact({ kind: 'canceled', message, runId: by === 'parent' ? readText(runId) : undefined })
}

function toPreferenceReason({ run, channel, raw }: ReasonInput): JsonObject {
  const { externalSubscriberId: subscriberId } = run
  const source = readText(raw['preferences']) ?? 'default'
  const places: ReadonlyMap<string, string> = new Map([
    ['subscriberWorkflow', `${subscriberId} has turned ${channel} off for this workflow.`],
    ['subscriber', `${subscriberId} has turned ${channel} off for all workflows.`],
    ['tenant', `${channel} is turned off for the tenant of the run.`],
    ['stored', `${channel} is turned off in the saved preferences of the workflow.`],
    ['workflow', `${channel} is off by default in the code of the workflow.`],
  ])
  return compact({
    kind: 'preference',
    message: places.get(source) ?? `${channel} is turned off by a preference.`,
    source,
    tenant: source === 'tenant' ? readText(toObject(parse(run.tenant))['identifier']) : undefined,
  })
}

function toThrottleReason({ raw: { executionCount, threshold } }: ReasonInput): JsonObject {
  const count = typeof executionCount === 'number' && typeof threshold === 'number'
  return {
    kind: 'throttle',
    message: count
      ? `Throttled: run ${executionCount} of a window that allows ${threshold}.`
      : 'Throttled: the window allows no more runs.',
  }
}

function toMergeReason({ raw, run }: ReasonInput): JsonObject {
  // Steps after the digest are merged with it, and only the digest's own entry names the run.
  const runId = readText(raw['runId']) ?? run.digestedRunId ?? undefined
  return compact({ kind: 'merged', message: 'Merged into the open digest of another run.', runId })
}

/**
 * Returns the steps of a workflow that a run has not reached, with the reason if the run has ended. Steps that were
 * added after the run started are not part of it.
 *
 * @param run - The run.
 * @param steps - The current steps of its workflow.
 * @param jobs - The steps of the run.
 */
export function toUnreached(
  run: Pick<RunRow, 'id' | 'status' | 'finishedAt'>,
  steps: readonly StoredStep[],
  jobs: readonly Pick<JobRow, 'stepId'>[],
): readonly JsonObject[] {
  const reached = new Set(jobs.map(({ stepId }) => stepId))
  // Identifiers sort by creation time.
  return steps
    .filter(({ id, stepId }) => !reached.has(stepId) && id < run.id)
    .map((step) => ({
      stepId: step.stepId,
      type: step.type,
      reason: run.finishedAt === null ? null : { kind: 'unreached', message: toUnreachedText(run.status, step) },
    }))
}

function toUnreachedText(status: RunRow['status'], { conditional }: StoredStep): string {
  if (status === 'failed') return 'Not reached: the run failed before it.'
  if (status === 'canceled') return 'Not reached: the run was canceled before it.'
  if (status === 'merged') return 'Not reached: the run was merged into a digest before it.'
  return conditional ? 'Not reached: its condition was false.' : 'Not reached: the workflow ended without it.'
}

const parse = (text: string | null): unknown => (text === null ? null : JSON.parse(text))

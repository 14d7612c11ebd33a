import { isObject } from '@trestle/protocol'
import { callService, type ServiceAccess } from '../api/service-access.ts'
import { errorText } from '../catalogue/error-texts.ts'

type Row = Readonly<Record<string, unknown>>

/** The maximum number of outbox messages to search for those of a run. */
const maxOutbox = 100

/**
 * Returns a run with each rendered step, its events, and its messages as sent or as stored in the outbox.
 *
 * @throws {CommandError} The run does not exist, or the service cannot be reached.
 */
export async function readRun(access: ServiceAccess, runId: string, signal: AbortSignal): Promise<object> {
  const run = toRow(
    await callService(access, { method: 'GET', path: `/v1/studio/runs/${encodeURIComponent(runId)}`, signal }),
  )
  const steps = toRows(run['steps'])
  const stepIds = new Map(steps.map((step) => [step['_id'], step['stepId']]))
  const stepOf = (row: Row): unknown => stepIds.get(row['_jobId']) ?? null
  const outbox = await readOutbox(access, String(run['transactionId']), signal)
  return {
    runId: run['_id'],
    workflowId: run['workflowId'],
    transactionId: run['transactionId'],
    subscriberId: run['subscriberId'],
    status: run['status'],
    payload: run['payload'],
    createdAt: run['createdAt'],
    finishedAt: run['finishedAt'],
    steps: steps.map(({ stepId, type, status, outputs, result, error }) => ({
      ...{ stepId, type, status, rendered: outputs ?? null, result: result ?? null, error: toError(error) },
    })),
    history: toRows(run['details']).map((row) => ({
      ...{ at: row['createdAt'], stepId: stepOf(row), status: row['status'], detail: row['detail'] },
      error: row['status'] === 'Failed' ? toError(row['raw']) : null,
    })),
    messages: toRows(run['messages']).map((row) => toMessage(row, { run, outbox, stepId: stepOf(row) })),
  }
}

async function readOutbox(access: ServiceAccess, transactionId: string, signal: AbortSignal): Promise<readonly Row[]> {
  const path = `/v1/studio/outbox?limit=${maxOutbox}&transactionId=${encodeURIComponent(transactionId)}`
  return toRows(toRow(await callService(access, { method: 'GET', path, signal }))['data'])
}

interface MessageParts {
  readonly run: Row
  readonly outbox: readonly Row[]
  readonly stepId: unknown
}

/** Prefers the outbox, which has a message as its provider would receive it, with layout and overrides. */
function toMessage(row: Row, { run, outbox, stepId }: MessageParts): object {
  const outboxItem = outbox.find((one) => one['_messageId'] === row['_id'])
  const { channel, status, subject, title, content, errorId, errorText: message } = row
  return {
    stepId,
    channel,
    status,
    to:
      outboxItem?.['recipient'] ??
      row['email'] ??
      row['phone'] ??
      row['directWebhookUrl'] ??
      run['subscriberId'] ??
      null,
    rendered: outboxItem?.['content'] ?? { subject, title, body: content },
    outboxId: outboxItem?.['_id'] ?? null,
    error: typeof message === 'string' ? toError({ code: errorId, message }) : null,
  }
}

/** Adds the fix from the error page. */
function toError(error: unknown): object | null {
  if (!isObject(error)) return null
  const code = typeof error['code'] === 'string' ? error['code'] : null
  const message = error['message'] ?? error['reason']
  if (code === null && typeof message !== 'string') return null
  return { code, message: String(message ?? code), fix: (code !== null && errorText(code)?.fix) || null }
}

const toRow = (value: unknown): Row => (isObject(value) ? value : {})
const toRows = (value: unknown): readonly Row[] => (Array.isArray(value) ? value.filter(isObject) : [])

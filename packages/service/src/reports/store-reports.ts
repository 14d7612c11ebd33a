import { createHash } from 'node:crypto'
import { toStorable } from '../channels/base/storable.ts'
import { createHistory } from '../engine/base/history.ts'
import type { DeliveryNote } from '../engine/port/channel-port.ts'
import type { EventPort, MessageReport } from '../engine/port/event-port.ts'
import { createId } from '../store/create-id.ts'
import type { DeliveryReportRow, MessageRow } from '../store/schema/message.ts'
import type { Session, Store } from '../store/store.ts'
import type { DeliveryReport } from './base/report.ts'
import { toShown } from './load-reports.ts'

/** Dependencies for storing reports. */
export interface ReportWork {
  readonly store: Store
  /** Records events for webhooks. */
  readonly events: EventPort
}

/** Reports of one call. */
export interface ReceivedReports {
  /** Row id of the integration. */
  readonly integrationId: string
  readonly reports: readonly DeliveryReport[]
  readonly nowMs: number
}

/** The outcome of storing reports. */
export interface StoredReports {
  readonly stored: readonly DeliveryReport[]
  readonly duplicates: readonly DeliveryReport[]
  /** Reports about messages that the integration has not sent, or that were deleted. */
  readonly unknown: readonly DeliveryReport[]
}

type ReportedMessage = Pick<MessageRow, 'id' | 'environmentId' | 'runId' | 'jobId' | 'providerId' | 'providerMessageId'>

const batch = 50
const reasonLength = 500
const dayMs = 24 * 60 * 60_000

/** Stores reports with their messages: once, with an entry in the run's history, a status and an event for webhooks. */
export async function storeReports(work: ReportWork, received: ReceivedReports): Promise<StoredReports> {
  const { reports, nowMs } = received
  const results: StoredReports[] = []
  // Short transactions, so that other work runs in between.
  for (let start = 0; start < reports.length; start += batch) {
    const some = { ...received, reports: reports.slice(start, start + batch) }
    const messages = await findMessages(work.store.db, some)
    const matches = some.reports.map((report) => ({ report, message: findMessage(messages, report) }))
    const unknown = matches.filter(({ message }) => message === undefined).map(({ report }) => report)
    const knownReports = matches
      .flatMap(({ report, message }) => (message ? [{ report, message }] : []))
      // Locks rows in the same order everywhere, so that two transactions cannot deadlock.
      .toSorted((left, right) => (left.message.id < right.message.id ? -1 : 1))
    const isNew = await work.store.transaction(async (tx) => {
      const stored: boolean[] = []
      for (const one of knownReports) stored.push(await storeReport(tx, work, { ...one, nowMs }))
      return stored
    })
    const pick = (wanted: boolean) =>
      knownReports.filter((_, index) => isNew[index] === wanted).map(({ report }) => report)
    results.push({ stored: pick(true), duplicates: pick(false), unknown })
  }
  return {
    stored: results.flatMap(({ stored }) => stored),
    duplicates: results.flatMap(({ duplicates }) => duplicates),
    unknown: results.flatMap(({ unknown }) => unknown),
  }
}

function findMessages(db: Session, { integrationId, reports }: ReceivedReports): Promise<ReportedMessage[]> {
  return db
    .selectFrom('messages')
    .select(['id', 'environmentId', 'runId', 'jobId', 'providerId', 'providerMessageId'])
    .where('integrationId', '=', integrationId)
    .where('providerMessageId', 'in', [...new Set(reports.flatMap(({ messageIds }) => messageIds.map(toStorable)))])
    .execute()
}

const findMessage = (messages: readonly ReportedMessage[], { messageIds }: DeliveryReport) =>
  messages.find(({ providerMessageId }) => providerMessageId !== null && messageIds.includes(providerMessageId))

interface MatchedReport {
  readonly report: DeliveryReport
  readonly message: ReportedMessage
  readonly nowMs: number
}

/** Returns whether the report was stored; false if it was stored before. */
async function storeReport(tx: Session, { events }: ReportWork, matched: MatchedReport): Promise<boolean> {
  const { message, nowMs } = matched
  const row = toRow(matched)
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('deliveryReports')
    .values(row)
    .onConflict((conflict) => conflict.columns(['messageId', 'eventKey']).doNothing())
    .executeTakeFirst()
  if (Number(numInsertedOrUpdatedRows) === 0) return false
  await changeStatus(tx, row)
  const history = createHistory(message.environmentId, nowMs)
  history.noteDelivery({ runId: message.runId, jobId: message.jobId }, toNote(matched, row))
  await history.write(tx)
  const { type } = matched.report
  const subject = { environmentId: message.environmentId, subjectId: message.id, nowMs }
  await events.record(tx, { ...subject, type: `message.${type}`, data: { report: toShown(row) } })
  return true
}

function toRow({ report, message, nowMs }: MatchedReport): DeliveryReportRow {
  const { type, eventId, atMs = nowMs, reason } = report
  return {
    id: createId(nowMs),
    environmentId: message.environmentId,
    runId: message.runId,
    messageId: message.id,
    // Turns an event id of any length and with any characters into a database key.
    eventKey: createHash('sha256')
      .update(JSON.stringify([type, eventId]))
      .digest('base64url'),
    type,
    reason: reason === undefined ? null : toStorable(reason.slice(0, reasonLength)),
    happenedAt: Math.min(Math.max(atMs, 0), nowMs + dayMs),
    createdAt: nowMs,
  }
}

/**
 * Reports arrive in any order, so a status never depends on the previous report: a bounce wins over a complaint, and a
 * complaint over success.
 */
async function changeStatus(tx: Session, { messageId, type, reason, createdAt }: DeliveryReportRow): Promise<void> {
  if (type !== 'bounced' && type !== 'complained') return
  const errorText = reason ?? (type === 'bounced' ? 'The message was not delivered.' : texts.complained)
  await tx
    .updateTable('messages')
    .set({ status: type === 'bounced' ? 'error' : 'warning', errorId: type, errorText, updatedAt: createdAt })
    .where('id', '=', messageId)
    .where(({ eb, or }) =>
      type === 'bounced'
        ? or([eb('status', '=', 'sent'), eb('errorId', '=', 'complained')])
        : eb('status', '=', 'sent'),
    )
    .execute()
}

const texts: Readonly<Record<MessageReport, string>> = {
  delivered: 'The provider delivered the message',
  opened: 'The recipient opened the message',
  clicked: 'The recipient clicked a link in the message',
  bounced: 'The provider could not deliver the message',
  complained: 'The recipient reported the message as spam',
}

function toNote({ report: { type }, message }: MatchedReport, row: DeliveryReportRow): DeliveryNote {
  const { id: messageId, providerId } = message
  const status = type === 'bounced' ? 'Failed' : type === 'complained' ? 'Warning' : 'Success'
  const detail = row.reason === null ? texts[type] : `${texts[type]}: ${row.reason}`
  return { detail, status, source: 'Webhook', messageId, ...(providerId && { providerId }), raw: toShown(row) }
}

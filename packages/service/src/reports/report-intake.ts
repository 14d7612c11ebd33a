import type { Outbound } from '@trestle/bridge-client'
import type { JsonObject } from '@trestle/protocol'
import type { Logger } from 'pino'
import { ApiError } from '../api/api-error.ts'
import type { DeliveryReport, ReportCall, ReportReader } from './base/report.ts'
import { isGenuineCall, reportReaders } from './report-readers.ts'
import { createCertificates } from './sns/certificates.ts'
import { type ReportWork, storeReports } from './store-reports.ts'

/** An integration that receives reports. */
export interface ReportingIntegration {
  readonly id: string
  readonly environmentId: string
  readonly providerId: string
  readonly credentials: JsonObject
  readonly reader: ReportReader
}

/** Reports with the same outcome. */
export interface ObservedReports {
  readonly provider: string
  /** The type of a stored report, or why it was not stored. */
  readonly outcome: DeliveryReport['type'] | 'duplicate' | 'unknown' | 'rejected'
}

/** Receives delivery reports. */
export interface ReportIntake {
  /** Returns whether the provider of an integration sent a call. */
  isGenuine(integration: ReportingIntegration, call: ReportCall): Promise<boolean>
  /** Counts a call that is not genuine. */
  reject(providerId: string): void
  /**
   * Stores the reports of a genuine call, and returns the number of new ones.
   *
   * @throws {ApiError} 400 if the body is malformed; 503 if the provider should send it again.
   */
  receive(integration: ReportingIntegration, call: ReportCall): Promise<number>
}

/** Dependencies for receiving reports. */
export interface IntakeOptions extends ReportWork {
  readonly outbound: Pick<Outbound, 'send'>
  readonly logger: Pick<Logger, 'info'>
  /** Counts reports. */
  readonly observe: (reports: ObservedReports) => void
}

/** A report this young may arrive before the response of the provider is stored. */
const earlyMs = 60_000
const confirmMs = 10_000

/** Creates the intake of delivery reports. */
export function createReportIntake(options: IntakeOptions): ReportIntake {
  const { outbound, logger, observe } = options
  const load = createCertificates(outbound)
  return {
    isGenuine: ({ credentials, reader }, call) => isGenuineCall(reader, call, { credentials, load }),
    reject: (providerId) => {
      if (reportReaders.has(providerId)) observe({ provider: providerId, outcome: 'rejected' })
    },
    async receive({ id: integrationId, providerId: provider, reader }, call) {
      const { reports, confirmUrl } = reader.read(call)
      if (confirmUrl !== undefined) await confirm(outbound, confirmUrl)
      if (confirmUrl !== undefined) logger.info({ integrationId }, 'confirmed a subscription to delivery reports')
      const { nowMs } = call
      const { stored, duplicates, unknown } = await storeReports(options, { integrationId, reports, nowMs })
      for (const { type } of stored) observe({ provider, outcome: type })
      for (const _ of duplicates) observe({ provider, outcome: 'duplicate' })
      for (const _ of unknown) observe({ provider, outcome: 'unknown' })
      if (unknown.length > 0)
        logger.info({ integrationId, provider, reports: unknown.length }, 'delivery reports match no message')
      if (await mayBeEarly(options, { integrationId, unknown, nowMs }))
        throw new ApiError(503, 'A message is still being sent. Send the reports again later.', {
          headers: { 'retry-after': '30' },
        })
      return stored.length
    },
  }
}

async function confirm(outbound: Pick<Outbound, 'send'>, url: string): Promise<void> {
  const reply = await outbound.send({ method: 'GET', url }, AbortSignal.timeout(confirmMs)).catch(() => ({ status: 0 }))
  if (reply.status !== 200) throw new ApiError(503, 'The subscription could not be confirmed. Send it again later.')
}

interface UnknownReports {
  readonly integrationId: string
  readonly unknown: readonly DeliveryReport[]
  readonly nowMs: number
}

/**
 * Returns whether reports may be about a message whose id is not stored yet. All other reports about unknown messages
 * are accepted and ignored, because a provider also reports on messages from other senders with the same account, and
 * stops calling an address that rejects too much.
 */
async function mayBeEarly({ store }: ReportWork, { integrationId, unknown, nowMs }: UnknownReports): Promise<boolean> {
  if (unknown.every(({ atMs = nowMs }) => nowMs - atMs > earlyMs)) return false
  const sending = await store.db
    .selectFrom('messages')
    .select('id')
    .where('status', '=', 'pending')
    .where('integrationId', '=', integrationId)
    .where('handOvers', '>', 0)
    .limit(1)
    .executeTakeFirst()
  return sending !== undefined
}

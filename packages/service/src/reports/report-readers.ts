import type { JsonObject } from '@trestle/protocol'
import { readText } from '../json/json.ts'
import type { ReportReader } from './base/report.ts'
import { mailgunReports } from './providers/mailgun.ts'
import { postmarkReports } from './providers/postmark.ts'
import { resendReports } from './providers/resend.ts'
import { sendgridReports } from './providers/sendgrid.ts'
import { sesReports } from './providers/ses.ts'
import { twilioReports } from './providers/twilio.ts'

/** The providers whose delivery reports are received. */
export const reportReaders: ReadonlyMap<string, ReportReader> = new Map([
  ['sendgrid', sendgridReports],
  ['resend', resendReports],
  ['postmark', postmarkReports],
  ['mailgun', mailgunReports],
  ['ses', sesReports],
  ['twilio', twilioReports],
])

/** Returns whether the credentials of an integration let it receive delivery reports. */
export function receivesReports(providerId: string, credentials: JsonObject): boolean {
  const reader = reportReaders.get(providerId)
  return reader !== undefined && readText(credentials[reader.credential]) !== undefined
}

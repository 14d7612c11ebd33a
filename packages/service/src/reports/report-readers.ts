import type { JsonObject } from '@trestle/protocol'
import { readText } from '../json/json.ts'
import type { LoadCertificate, ReportCall, ReportReader } from './base/report.ts'
import { brevoReports } from './providers/brevo.ts'
import { mailgunReports } from './providers/mailgun.ts'
import { postmarkReports } from './providers/postmark.ts'
import { resendReports } from './providers/resend.ts'
import { sendgridReports } from './providers/sendgrid.ts'
import { sesReports } from './providers/ses.ts'
import { telnyxReports } from './providers/telnyx.ts'
import { twilioReports } from './providers/twilio.ts'
import { vonageReports } from './providers/vonage.ts'
import { whatsappReports } from './providers/whatsapp.ts'

/** The providers whose delivery reports are received. */
export const reportReaders: ReadonlyMap<string, ReportReader> = new Map([
  ['sendgrid', sendgridReports],
  ['resend', resendReports],
  ['postmark', postmarkReports],
  ['sendinblue', brevoReports],
  ['mailgun', mailgunReports],
  ['ses', sesReports],
  ['twilio', twilioReports],
  ['nexmo', vonageReports],
  ['telnyx', telnyxReports],
  ['whatsapp-business', whatsappReports],
])

/**
 * Returns whether a provider sent a call.
 *
 * @param reader - The provider's reader.
 * @param credentials - The credentials of the integration.
 * @param load - Loads the provider's certificate.
 */
export async function isGenuineCall(
  { maxBodyBytes = Number.POSITIVE_INFINITY, isGenuine }: ReportReader,
  call: ReportCall,
  { credentials, load }: { readonly credentials: JsonObject; readonly load: LoadCertificate },
): Promise<boolean> {
  return call.body.length <= maxBodyBytes && isGenuine(call, credentials, load)
}

/** Returns whether the credentials of an integration let it receive delivery reports. */
export function receivesReports(providerId: string, credentials: JsonObject): boolean {
  const reader = reportReaders.get(providerId)
  return reader !== undefined && readText(credentials[reader.credential]) !== undefined
}

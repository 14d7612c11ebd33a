import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { JsonObject } from '@trestle/protocol'
import type { MessageReport } from '../../engine/port/event-port.ts'
import { readText } from '../../json/json.ts'
import { isRecent } from '../base/proof.ts'
import { readObjects, readSeconds } from '../base/read-body.ts'
import type { DeliveryReport, ReportReader } from '../base/report.ts'

const signatureHeader = 'x-twilio-email-event-webhook-signature'
const timestampHeader = 'x-twilio-email-event-webhook-timestamp'
const maxParts = 10

const types: ReadonlyMap<unknown, MessageReport> = new Map([
  ['delivered', 'delivered'],
  ['open', 'opened'],
  ['click', 'clicked'],
  ['bounce', 'bounced'],
  ['dropped', 'bounced'],
  ['spamreport', 'complained'],
])

/** SendGrid's signed event webhook: ECDSA over the timestamp and the raw body. */
export const sendgridReports: ReportReader = {
  credential: 'webhookKey',
  types: new Set(types.values()),
  findFault: (value) =>
    readKey(value) ? undefined : 'is not a verification key. Copy it from the settings of the event webhook',
  mayBeGenuine: ({ header, nowMs }) =>
    header(signatureHeader) !== undefined && isRecent(header(timestampHeader) ?? '', nowMs),
  isGenuine({ header, body }, { webhookKey }) {
    const key = readKey(readText(webhookKey) ?? '')
    const signed = Buffer.concat([Buffer.from(header(timestampHeader) ?? ''), body])
    return key !== undefined && verify('sha256', signed, key, Buffer.from(header(signatureHeader) ?? '', 'base64'))
  },
  read: ({ body }) => ({ reports: readObjects(body).flatMap(toReport) }),
}

function readKey(text: string): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' })
    return key.asymmetricKeyType === 'ec' ? key : undefined
  } catch {
    return undefined
  }
}

function toReport(event: JsonObject): readonly DeliveryReport[] {
  const type = types.get(event['event'])
  const [messageId, eventId] = [readText(event['sg_message_id']), readText(event['sg_event_id'])]
  if (type === undefined || messageId === undefined || eventId === undefined) return []
  const reason = type === 'bounced' ? readText(event['reason']) : undefined
  return [{ type, messageIds: toStarts(messageId), eventId, atMs: readSeconds(event['timestamp']), reason }]
}

/** The id that the API returned may contain dots, and so may the suffix that SendGrid appends to it. */
function toStarts(id: string): readonly string[] {
  const parts = id.split('.').slice(0, maxParts)
  return parts.map((_, index) => parts.slice(0, index + 1).join('.'))
}

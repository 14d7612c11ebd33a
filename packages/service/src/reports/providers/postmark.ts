import type { JsonObject } from '@trestle/protocol'
import type { MessageReport } from '../../engine/port/event-port.ts'
import { readText } from '../../json/json.ts'
import { passwordProof } from '../base/password.ts'
import { readObject, readTime } from '../base/read-body.ts'
import type { ReportReader } from '../base/report.ts'

const types: ReadonlyMap<unknown, MessageReport> = new Map([
  ['Delivery', 'delivered'],
  ['Open', 'opened'],
  ['Click', 'clicked'],
  ['Bounce', 'bounced'],
  ['SpamComplaint', 'complained'],
])
/** Postmark also calls these bounces: a delay, replies from the recipient, and changes to a subscription. */
const otherBounces: readonly unknown[] = [
  ...['Transient', 'AutoResponder', 'AddressChange', 'ChallengeVerification', 'Subscribe', 'Unsubscribe'],
]

/** Postmark's webhooks. They are not signed; Postmark sends the password of the webhook's basic authentication. */
export const postmarkReports: ReportReader = {
  ...passwordProof,
  types: new Set(types.values()),
  read({ body }) {
    const event = readObject(body)
    const type = types.get(event['RecordType'])
    const messageId = readText(event['MessageID'])
    const isOther = type === 'bounced' && otherBounces.includes(event['Type'])
    if (type === undefined || isOther || messageId === undefined) return { reports: [] }
    const at = event['DeliveredAt'] ?? event['BouncedAt'] ?? event['ReceivedAt']
    const eventId = JSON.stringify([type, at, event['ID'], event['Recipient'] ?? event['Email'], event['OriginalLink']])
    return { reports: [{ type, messageIds: [messageId], eventId, atMs: readTime(at), reason: toReason(type, event) }] }
  },
}

function toReason(type: MessageReport, event: JsonObject): string | undefined {
  return type === 'bounced' ? (readText(event['Details']) ?? readText(event['Description'])) : undefined
}

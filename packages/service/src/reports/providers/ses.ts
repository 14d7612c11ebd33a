import { type JsonObject, parseJson } from '@trestle/protocol'
import type { MessageReport } from '../../engine/port/event-port.ts'
import { readText, toObject, toObjects } from '../../json/json.ts'
import { readObject, readTime } from '../base/read-body.ts'
import type { DeliveryReport, ReportReader } from '../base/report.ts'
import { isSignedBySns, isTopicArn, toConfirmUrl } from '../sns/sns-message.ts'

interface SesEvent {
  readonly type: MessageReport
  /** The field with the details. */
  readonly field: string
}

const events: ReadonlyMap<unknown, SesEvent> = new Map([
  ['Delivery', { type: 'delivered', field: 'delivery' }],
  ['Open', { type: 'opened', field: 'open' }],
  ['Click', { type: 'clicked', field: 'click' }],
  ['Bounce', { type: 'bounced', field: 'bounce' }],
  ['Reject', { type: 'bounced', field: 'reject' }],
  ['Complaint', { type: 'complained', field: 'complaint' }],
])

/** Events of Amazon SES through a topic of Amazon SNS. SNS signs for any account, so the topic must be the saved one. */
export const sesReports: ReportReader = {
  credential: 'topicArn',
  types: new Set([...events.values()].map(({ type }) => type)),
  findFault: (value) => (isTopicArn(value) ? undefined : 'must be the ARN of an SNS topic'),
  // The signature is in the body, so an unsigned body must be parsed. A message of SNS has up to 256 KiB, and more once
  // it is escaped.
  maxBodyBytes: 1024 * 1024,
  isGenuine: ({ body, nowMs }, { topicArn }, load) =>
    isSignedBySns(readObject(body), { topicArn: readText(topicArn) ?? '', nowMs, load }),
  read({ body }) {
    const call = readObject(body)
    const confirmUrl = toConfirmUrl(call)
    if (confirmUrl !== undefined) return { reports: [], confirmUrl }
    return { reports: call['Type'] === 'Notification' ? toReports(call) : [] }
  },
}

function toReports(call: JsonObject): readonly DeliveryReport[] {
  const message = parse(call['Message'])
  const event = events.get(message['eventType'] ?? message['notificationType'])
  const [messageId, eventId] = [readText(toObject(message['mail'])['messageId']), readText(call['MessageId'])]
  if (event === undefined || messageId === undefined || eventId === undefined) return []
  const { type, field } = event
  const details = toObject(message[field])
  const atMs = readTime(details['timestamp']) ?? readTime(call['Timestamp'])
  return [{ type, messageIds: [messageId], eventId, atMs, reason: type === 'bounced' ? toReason(details) : undefined }]
}

function parse(text: unknown): JsonObject {
  // SNS sends plain text instead of JSON when a topic is connected to SES.
  return toObject(parseJson(String(text)))
}

function toReason({ bounceType, bounceSubType, bouncedRecipients, reason }: JsonObject): string | undefined {
  const list = toObjects(bouncedRecipients)
  const kind = [bounceType, bounceSubType].filter((part) => typeof part === 'string').join(', ')
  return readText(list[0]?.['diagnosticCode']) ?? readText(reason) ?? readText(kind)
}

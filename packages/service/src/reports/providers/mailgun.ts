import { createHmac } from 'node:crypto'
import type { JsonObject } from '@trestle/protocol'
import type { MessageReport } from '../../engine/port/event-port.ts'
import { readText, toObject } from '../../json/json.ts'
import { isRecent, isSame } from '../base/proof.ts'
import { readObject, readSeconds } from '../base/read-body.ts'
import type { ReportReader } from '../base/report.ts'

const types: ReadonlyMap<unknown, MessageReport> = new Map([
  ['delivered', 'delivered'],
  ['opened', 'opened'],
  ['clicked', 'clicked'],
  ['failed', 'bounced'],
  ['rejected', 'bounced'],
  ['complained', 'complained'],
])

/**
 * Mailgun's webhooks. The signature is in the body and covers only a timestamp and a token, so TLS protects the event.
 */
export const mailgunReports: ReportReader = {
  credential: 'webhookKey',
  types: new Set(types.values()),
  findFault: (value) => (value.length < 16 ? 'must be the HTTP webhook signing key of the account' : undefined),
  // The signature is in the body, so an unsigned body must be parsed.
  maxBodyBytes: 256 * 1024,
  isGenuine({ body, nowMs }, { webhookKey }) {
    const key = readText(webhookKey) ?? ''
    if (key === '') return false
    const { timestamp, token, signature } = toObject(readObject(body)['signature'])
    const seconds = typeof timestamp === 'number' ? String(timestamp) : (readText(timestamp) ?? '')
    if (typeof token !== 'string' || typeof signature !== 'string') return false
    const expected = createHmac('sha256', key)
      .update(seconds + token)
      .digest('hex')
    return isRecent(seconds, nowMs) && isSame(expected, signature)
  },
  read({ body }) {
    const event = toObject(readObject(body)['event-data'])
    const type = types.get(event['event'])
    const messageId = readText(toObject(toObject(event['message'])['headers'])['message-id'])
    const eventId = readText(event['id'])
    // Mailgun still tries to deliver after a temporary failure.
    const isTemporary = event['event'] === 'failed' && event['severity'] === 'temporary'
    if (type === undefined || isTemporary || messageId === undefined || eventId === undefined) return { reports: [] }
    // The API returns the id in angle brackets.
    const messageIds = [`<${messageId}>`, messageId]
    return { reports: [{ type, messageIds, eventId, atMs: readSeconds(event['timestamp']), reason: toReason(event) }] }
  },
}

function toReason(event: JsonObject): string | undefined {
  const status = toObject(event['delivery-status'])
  const rejection = toObject(event['reject'])
  if (event['event'] === 'rejected') return readText(rejection['reason'])
  if (event['event'] !== 'failed') return undefined
  return readText(status['message']) ?? readText(status['description']) ?? readText(event['reason'])
}

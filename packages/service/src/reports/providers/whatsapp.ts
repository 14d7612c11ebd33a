import { createHmac } from 'node:crypto'
import type { JsonObject } from '@trestle/protocol'
import type { MessageReport } from '../../engine/port/event-port.ts'
import { readText, toObject, toObjects } from '../../json/json.ts'
import { isSame } from '../base/proof.ts'
import { readObject, readSeconds } from '../base/read-body.ts'
import type { DeliveryReport, ReportReader } from '../base/report.ts'

const signatureHeader = 'x-hub-signature-256'

const types: ReadonlyMap<unknown, MessageReport> = new Map([
  ['delivered', 'delivered'],
  ['read', 'opened'],
  ['failed', 'bounced'],
])

/** Webhooks of a Meta app: HMAC-SHA256 with the app secret over the raw body, without a time. */
export const whatsappReports: ReportReader = {
  credential: 'webhookKey',
  types: new Set(types.values()),
  findFault: (value) =>
    /^[\da-f]{32}$/i.test(value) ? undefined : 'must be the app secret of the Meta app: 32 hexadecimal digits',
  mayBeGenuine: ({ header }) => /^sha256=[\da-f]{64}$/.test(header(signatureHeader) ?? ''),
  isGenuine({ header, body }, { webhookKey }) {
    const key = readText(webhookKey)
    if (key === undefined) return false
    const expected = createHmac('sha256', key).update(body).digest('hex')
    return isSame(`sha256=${expected}`, header(signatureHeader) ?? '')
  },
  answerChallenge(query, { verifyToken }) {
    const [token, challenge] = [readText(verifyToken), query.get('hub.challenge') ?? '']
    const isGenuine = token !== undefined && isSame(token, query.get('hub.verify_token') ?? '')
    // Echoes only characters that a browser cannot interpret as HTML.
    return isGenuine && query.get('hub.mode') === 'subscribe' && /^[\w-]{1,200}$/.test(challenge)
      ? challenge
      : undefined
  },
  read({ body }) {
    const changes = toObjects(readObject(body)['entry']).flatMap(({ changes }) => toObjects(changes))
    const values = changes.filter(({ field }) => field === 'messages').map(({ value }) => toObject(value))
    return { reports: values.flatMap(({ statuses }) => toObjects(statuses)).flatMap(toReport) }
  },
}

function toReport({ id, status, timestamp, errors }: JsonObject): readonly DeliveryReport[] {
  const [type, messageId] = [types.get(status), readText(id)]
  if (type === undefined || messageId === undefined) return []
  const [error = {}] = toObjects(errors)
  const detail = readText(toObject(error['error_data'])['details'])
  const reason = type === 'bounced' ? (detail ?? readText(error['message']) ?? readText(error['title'])) : undefined
  const atMs = readSeconds(Number(readText(timestamp) ?? Number.NaN))
  // Each status of a message is reported once, apart from repetitions.
  return [{ type, messageIds: [messageId], eventId: String(status), atMs, reason }]
}

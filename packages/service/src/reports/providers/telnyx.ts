import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { JsonObject } from '@trestle/protocol'
import type { MessageReport } from '../../engine/port/event-port.ts'
import { readText, toObject, toObjects } from '../../json/json.ts'
import { fewMs, isRecent } from '../base/proof.ts'
import { readObject, readTime } from '../base/read-body.ts'
import type { ReportReader } from '../base/report.ts'

const signatureHeader = 'telnyx-signature-ed25519'
const timestampHeader = 'telnyx-timestamp'

/** The final statuses of a recipient. "delivery_unconfirmed" is neither a delivery nor a failure. */
const types: ReadonlyMap<unknown, MessageReport> = new Map([
  ['delivered', 'delivered'],
  ['expired', 'bounced'],
  ['sending_failed', 'bounced'],
  ['delivery_failed', 'bounced'],
])

/** Telnyx's messaging webhooks: Ed25519 over the timestamp and the raw body. */
export const telnyxReports: ReportReader = {
  credential: 'webhookKey',
  types: new Set(types.values()),
  findFault: (value) => (readKey(value) ? undefined : 'must be the public key of the Telnyx account'),
  mayBeGenuine: ({ header, nowMs }) =>
    header(signatureHeader) !== undefined && isRecent(header(timestampHeader) ?? '', nowMs, fewMs),
  isGenuine({ header, body }, { webhookKey }) {
    const key = readKey(readText(webhookKey) ?? '')
    const signed = Buffer.concat([Buffer.from(`${header(timestampHeader) ?? ''}|`), body])
    return key !== undefined && verify(null, signed, key, Buffer.from(header(signatureHeader) ?? '', 'base64'))
  },
  read({ body }) {
    const event = toObject(readObject(body)['data'])
    const message = toObject(event['payload'])
    const type = types.get(firstOf(message['to'])['status'])
    const [messageId, eventId] = [readText(message['id']), readText(event['id'])]
    const isFinal = event['event_type'] === 'message.finalized'
    if (!isFinal || type === undefined || messageId === undefined || eventId === undefined) return { reports: [] }
    const error = firstOf(message['errors'])
    const reason = type === 'bounced' ? (readText(error['detail']) ?? readText(error['title'])) : undefined
    return { reports: [{ type, messageIds: [messageId], eventId, atMs: readTime(event['occurred_at']), reason }] }
  },
}

/** Telnyx shows the 32 bytes of the key in base64. */
function readKey(text: string): KeyObject | undefined {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length !== 32 || bytes.toString('base64') !== text) return undefined
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') }, format: 'jwk' })
}

const firstOf = (list: unknown): JsonObject => toObjects(list)[0] ?? {}

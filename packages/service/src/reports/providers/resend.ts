import type { MessageReport } from '../../engine/port/event-port.ts'
import { readText, toObject } from '../../json/json.ts'
import { isSignedWebhook } from '../../outbound/standard-webhook.ts'
import { readObject, readTime } from '../base/read-body.ts'
import type { ReportReader } from '../base/report.ts'

const types: ReadonlyMap<unknown, MessageReport> = new Map([
  ['email.delivered', 'delivered'],
  ['email.opened', 'opened'],
  ['email.clicked', 'clicked'],
  ['email.bounced', 'bounced'],
  ['email.failed', 'bounced'],
  ['email.suppressed', 'bounced'],
  ['email.complained', 'complained'],
])

/** Resend's webhooks, which Svix signs. The Standard Webhooks specification has the same scheme. */
export const resendReports: ReportReader = {
  credential: 'webhookKey',
  types: new Set(types.values()),
  findFault: (value) =>
    /^whsec_[\w+/=-]{16,}$/.test(value)
      ? undefined
      : 'must be the signing secret of the webhook, which starts with whsec_',
  mayBeGenuine: ({ header }) => header('svix-signature') !== undefined,
  isGenuine({ header, body, nowMs }, { webhookKey }) {
    const [id = '', timestamp = ''] = [header('svix-id'), header('svix-timestamp')]
    const call = { id, timestamp, body, signatures: header('svix-signature') ?? '', nowMs }
    return isSignedWebhook(call, readText(webhookKey) ?? '')
  },
  read({ header, body }) {
    const { type: name, created_at: at, data } = readObject(body)
    const type = types.get(name)
    const fields = toObject(data)
    const [messageId, eventId] = [readText(fields['email_id']), header('svix-id')]
    if (type === undefined || messageId === undefined || eventId === undefined) return { reports: [] }
    const reason = readText(toObject(fields['bounce'])['message']) ?? readText(toObject(fields['failed'])['reason'])
    return { reports: [{ type, messageIds: [messageId], eventId, atMs: readTime(at), reason }] }
  },
}

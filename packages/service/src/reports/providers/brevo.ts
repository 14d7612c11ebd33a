import type { JsonObject } from '@trestle/protocol'
import type { MessageReport } from '../../engine/port/event-port.ts'
import { readText } from '../../json/json.ts'
import { passwordProof } from '../base/password.ts'
import { readObjects, readSeconds } from '../base/read-body.ts'
import type { DeliveryReport, ReportReader } from '../base/report.ts'

/**
 * Excludes opens by a proxy, which loads images even if the mail is not read, and deferrals, because Brevo still tries to
 * deliver.
 */
const types: ReadonlyMap<unknown, MessageReport> = new Map([
  ['delivered', 'delivered'],
  ['opened', 'opened'],
  ['unique_opened', 'opened'],
  ['click', 'clicked'],
  ['hard_bounce', 'bounced'],
  ['soft_bounce', 'bounced'],
  ['invalid_email', 'bounced'],
  ['blocked', 'bounced'],
  ['error', 'bounced'],
  ['spam', 'complained'],
])

/** Brevo's transactional webhooks, single or batched. They are not signed; Brevo sends the token of the webhook. */
export const brevoReports: ReportReader = {
  ...passwordProof,
  types: new Set(types.values()),
  read: ({ body }) => ({ reports: readObjects(body).flatMap(toReport) }),
}

function toReport(event: JsonObject): readonly DeliveryReport[] {
  const type = types.get(event['event'])
  const messageId = readText(event['message-id'])
  if (type === undefined || messageId === undefined) return []
  const { ts_event: at, email, link } = event
  // Brevo reports a first open twice, as "opened" and as "unique_opened".
  const eventId = JSON.stringify([type, at, email, link])
  const reason = type === 'bounced' ? readText(event['reason']) : undefined
  return [{ type, messageIds: toIds(messageId), eventId, atMs: readSeconds(at), reason }]
}

/** The API returns the id in angle brackets. */
function toIds(id: string): readonly string[] {
  const bare = id.replace(/^<|>$/g, '')
  return [`<${bare}>`, bare]
}

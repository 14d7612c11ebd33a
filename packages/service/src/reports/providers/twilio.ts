import { createHmac } from 'node:crypto'
import { parseUrl } from '@trestle/protocol'
import type { MessageReport } from '../../engine/port/event-port.ts'
import { readText } from '../../json/json.ts'
import { isSame } from '../base/proof.ts'
import { readUtf8 } from '../base/read-body.ts'
import type { ReportReader } from '../base/report.ts'

const types: ReadonlyMap<unknown, MessageReport> = new Map([
  ['delivered', 'delivered'],
  ['read', 'opened'],
  ['undelivered', 'bounced'],
  ['failed', 'bounced'],
])

/**
 * Twilio's status callbacks: HMAC-SHA1 with the auth token over the URL that Twilio was asked to call, and the form. The
 * URL is the saved one, because that of a request depends on proxies and its sender.
 */
export const twilioReports: ReportReader = {
  credential: 'statusCallback',
  types: new Set(types.values()),
  findFault: (value) =>
    /^https?:\/\//.test(value) && parseUrl(value) ? undefined : 'must be a URL that starts with https:// or http://',
  mayBeGenuine: ({ header }) => header('x-twilio-signature') !== undefined,
  // A callback has about 1 KiB. The form is read before the signature is known to be valid, so it must be cheap.
  maxBodyBytes: 16_384,
  isGenuine({ header, body }, { statusCallback, token }) {
    const [url, key] = [readText(statusCallback), readText(token)]
    if (url === undefined || key === undefined) return false
    const form = [...new URLSearchParams(readUtf8(body))].toSorted(([left], [right]) => (left < right ? -1 : 1))
    const signed = url + form.map(([name, value]) => name + value).join('')
    const expected = createHmac('sha1', key).update(signed).digest('base64')
    return isSame(expected, header('x-twilio-signature') ?? '')
  },
  read({ body }) {
    const form = new URLSearchParams(readUtf8(body))
    const [status, messageId, code] = ['MessageStatus', 'MessageSid', 'ErrorCode'].map((name) => form.get(name))
    const type = types.get(status)
    if (type === undefined || !messageId) return { reports: [] }
    const reason = type === 'bounced' && code ? `Twilio reported error ${code}.` : undefined
    return { reports: [{ type, messageIds: [messageId], eventId: String(status), reason }] }
  },
}

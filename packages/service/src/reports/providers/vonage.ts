import { createHmac } from 'node:crypto'
import type { MessageReport } from '../../engine/port/event-port.ts'
import { readText } from '../../json/json.ts'
import { isRecent, isSame } from '../base/proof.ts'
import { readObject, readTime, readUtf8 } from '../base/read-body.ts'
import type { ReportCall, ReportReader } from '../base/report.ts'

const types: ReadonlyMap<unknown, MessageReport> = new Map([
  ['delivered', 'delivered'],
  ['failed', 'bounced'],
  ['rejected', 'bounced'],
  ['expired', 'bounced'],
])

/** The accepted algorithms, by the length of their signature. The account can also use MD5 and SHA-1, which are weak. */
const algorithms: ReadonlyMap<number, string> = new Map([
  [64, 'sha256'],
  [128, 'sha512'],
])

/** In other names, "&" and "=" could move the boundaries of signed fields. */
const isName = (name: string): boolean => /^[\w-]+$/.test(name)

/** Delivery receipts of Vonage's SMS API: HMAC over the sorted fields of a form or a JSON object. */
export const vonageReports: ReportReader = {
  credential: 'webhookKey',
  types: new Set(types.values()),
  findFault: (value) => (value.length < 16 ? 'must be the signature secret of the account' : undefined),
  // A receipt has less than 1 KiB. It is read before the signature is known to be valid, so it must be cheap.
  maxBodyBytes: 16_384,
  isGenuine(call, { webhookKey }) {
    const key = readText(webhookKey)
    if (key === undefined) return false
    const fields = readFields(call)
    const { sig = '', timestamp = '' } = Object.fromEntries(fields)
    const algorithm = algorithms.get(sig.length)
    if (algorithm === undefined || !isRecent(timestamp, call.nowMs) || !fields.every(([name]) => isName(name)))
      return false
    const signed = fields
      .filter(([name]) => name !== 'sig')
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, value]) => `&${name}=${value.replaceAll(/[&=]/g, '_')}`)
    return isSame(createHmac(algorithm, key).update(signed.join('')).digest('hex'), sig.toLowerCase())
  },
  read(call) {
    const { status, messageId, ...receipt } = Object.fromEntries(readFields(call))
    const type = types.get(status)
    if (type === undefined || status === undefined || !messageId) return { reports: [] }
    const code = receipt['err-code']
    const reason = type === 'bounced' && code ? `Vonage reported error ${code}.` : undefined
    const atMs = readTime(toIso(receipt['message-timestamp'] ?? ''))
    return { reports: [{ type, messageIds: [messageId], eventId: status, atMs, reason }] }
  },
}

/** Returns the fields in the format that is set in the account. */
function readFields({ header, body }: Pick<ReportCall, 'header' | 'body'>): readonly (readonly [string, string])[] {
  if (!header('content-type')?.includes('json')) return [...new URLSearchParams(readUtf8(body))]
  return Object.entries(readObject(body)).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
}

/** Times are in UTC, such as "2020-01-01 12:00:00 +0000". */
const toIso = (time: string): string => time.replace(/^(\S+) (\S+)( \+0000)?$/, '$1T$2Z')

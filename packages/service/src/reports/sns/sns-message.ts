import { verify, X509Certificate } from 'node:crypto'
import { type JsonObject, parseUrl } from '@trestle/protocol'
import { readText } from '../../json/json.ts'
import { readTime } from '../base/read-body.ts'
import type { LoadCertificate } from '../base/report.ts'

/** SNS repeats a message for an hour, with its first timestamp. */
const windowMs = 65 * 60_000
const topicPattern = /^arn:aws(?:-cn|-us-gov)?:sns:([a-z\d-]{4,30}):\d{12}:[\w-]{1,256}(?:\.fifo)?$/

/** The signed fields of a message, in the order of the signature. */
const notification = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
const confirmation = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']
const signedFields: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['Notification', notification],
  ['SubscriptionConfirmation', confirmation],
  ['UnsubscribeConfirmation', confirmation],
])
const digests: ReadonlyMap<unknown, string> = new Map([
  ['1', 'sha1'],
  ['2', 'sha256'],
])

/** Returns whether a text is the ARN of a topic of Amazon SNS. */
export function isTopicArn(text: string): boolean {
  return topicPattern.test(text)
}

/** What a message is verified against. */
export interface SnsTrust {
  /** The only accepted topic. */
  readonly topicArn: string
  readonly nowMs: number
  readonly load: LoadCertificate
}

/** Returns whether SNS has signed a message for a topic in the last hour. */
export async function isSignedBySns(message: JsonObject, { topicArn, nowMs, load }: SnsTrust): Promise<boolean> {
  const { Type, TopicArn, Timestamp, SignatureVersion, Signature, SigningCertURL } = message
  const fields = signedFields.get(Type)
  const digest = digests.get(SignatureVersion)
  const atMs = readTime(Timestamp) ?? 0
  // The topic is checked first, so that only those who know it can cause a request.
  if (!isTopicArn(topicArn) || TopicArn !== topicArn || fields === undefined || digest === undefined) return false
  if (Math.abs(nowMs - atMs) > windowMs || typeof Signature !== 'string') return false
  const url = readText(SigningCertURL) ?? ''
  if (!isCertificateUrl(url, topicArn)) return false
  const text = fields
    .filter((name) => typeof message[name] === 'string')
    .map((name) => `${name}\n${String(message[name])}\n`)
    .join('')
  const certificate = readCertificate(await load(url, nowMs))
  if (certificate === undefined) return false
  const isValid = Date.parse(certificate.validFrom) <= nowMs && nowMs <= Date.parse(certificate.validTo)
  return isValid && verify(digest, Buffer.from(text), certificate.publicKey, Buffer.from(Signature, 'base64'))
}

function readCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem)
  } catch {
    return undefined
  }
}

/** Other addresses of SNS might respond with text chosen by the caller. */
function isCertificateUrl(url: string, topicArn: string): boolean {
  const parsed = parseUrl(url)
  const isFile = /^\/SimpleNotificationService-[\da-f]{32}\.pem$/.test(parsed?.pathname ?? '')
  return isFile && parsed?.search === '' && isOfSns(url, topicArn)
}

/** Returns the URL that confirms a subscription; `undefined` for any other message. */
export function toConfirmUrl({ Type, SubscribeURL, TopicArn }: JsonObject): string | undefined {
  const url = readText(SubscribeURL)
  if (Type !== 'SubscriptionConfirmation' || url === undefined) return undefined
  return isOfSns(url, String(TopicArn)) ? url : undefined
}

/** Returns whether a URL is an SNS URL in the region of a topic. */
function isOfSns(url: string, topicArn: string): boolean {
  const [, region] = topicPattern.exec(topicArn) ?? []
  const parsed = parseUrl(url)
  if (region === undefined || parsed?.protocol !== 'https:' || parsed.username !== '' || parsed.port !== '')
    return false
  const end = topicArn.startsWith('arn:aws-cn:') ? 'amazonaws.com.cn' : 'amazonaws.com'
  return parsed.hostname === `sns.${region}.${end}`
}

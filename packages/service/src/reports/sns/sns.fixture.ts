import { sign } from 'node:crypto'
import type { JsonObject } from '@trestle/protocol'

const toPem = (label: string, lines: readonly string[]): string =>
  `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`

/** A certificate for tests that is valid for a hundred years. SNS uses RSA, which only differs in its longer certificates. */
export const snsCertificate: string = toPem('CERTIFICATE', [
  'MIIBjzCCATWgAwIBAgIUNUV91AfP2Am4rn2Jxlu1/PDloiswCgYIKoZIzj0EAwIwHDEaMBgGA1UEAwwRc25zLmFtYXpvbmF3cy5j',
  'b20wIBcNMjYxMTI3MTMzNjU0WhgPMjEyNjExMDMxMzM2NTRaMBwxGjAYBgNVBAMMEXNucy5hbWF6b25hd3MuY29tMFkwEwYHKoZI',
  'zj0CAQYIKoZIzj0DAQcDQgAECgRACKE3v+9TS1TegbA+aQ2kF0SG/d0BEWwCcIqzF3YwJ7TTiYiAREaIjIQFXl+ibV5+0Uk+eLwL',
  'iKDBkIyH5qNTMFEwHQYDVR0OBBYEFN5k7+vRcqMVhbjkt9ha1piNSOxFMB8GA1UdIwQYMBaAFN5k7+vRcqMVhbjkt9ha1piNSOxF',
  'MA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIgKVLgDRBfO/Cp0sQYt25sXFrSq19nAl8hpXLTCS+XLr0CIQDYwQHn',
  'xxBTbtClO9XQ850BNWMVof6X/mj0stVGlVkecg==',
])

const key = toPem('PRIVATE KEY', [
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgJNjg93VaBveGCwWkxm0uxTlD3gXExZUYWRE4OfNCGyahRANCAAQK',
  'BEAIoTe/71NLVN6BsD5pDaQXRIb93QERbAJwirMXdjAntNOJiIBERoiMhAVeX6JtXn7RST54vAuIoMGQjIfm',
])

export const topicArn = 'arn:aws:sns:eu-central-1:123456789012:mail-events'
export const certificateUrl: string = `https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-${'ab12'.repeat(8)}.pem`

/** Returns a message of SNS, signed like a notification or a confirmation. */
export function signSns(fields: JsonObject, version: '1' | '2' = '2'): JsonObject {
  const message = {
    TopicArn: topicArn,
    MessageId: 'sns-1',
    SigningCertURL: certificateUrl,
    SignatureVersion: version,
    ...fields,
  }
  const names =
    fields['Type'] === 'Notification'
      ? ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
      : ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']
  const given: JsonObject = message
  const text = names.filter((name) => given[name] !== undefined).map((name) => `${name}\n${String(given[name])}\n`)
  const signature = sign(version === '1' ? 'sha1' : 'sha256', Buffer.from(text.join('')), key)
  return { ...message, Signature: signature.toString('base64') }
}

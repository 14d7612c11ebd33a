import type { JsonObject } from '@trestle/protocol'
import { readText } from '../../json/json.ts'
import type { RequestAuth } from '../base/request-auth.ts'
import type { Refusal, RefusingAnswer } from './provider-api.ts'

/**
 * Returns how requests to an AWS service are signed.
 *
 * @param credentials - `apiKey` (the access key id), `secretKey` and `region`.
 * @param service - The service name used in signatures.
 */
export function toAwsAuth({ apiKey, secretKey, region }: JsonObject, service: string): RequestAuth {
  const read = (value: unknown): string => readText(value) ?? ''
  return { kind: 'aws', accessKeyId: read(apiKey), secretKey: read(secretKey), region: read(region), service }
}

/** Errors that reject the account, its limits or its sender, so that another integration may be able to send. */
const sesAccountFaults: ReadonlySet<string> = new Set([
  ...['AccountSuspendedException', 'SendingPausedException', 'MailFromDomainNotVerifiedException'],
  ...['LimitExceededException', 'NotFoundException'],
])

/**
 * Returns the meaning of a rejection by Amazon SES, which sends its error type in a header.
 *
 * @param answer - The response.
 */
export function explainSes({ headers, status, body }: RefusingAnswer): Refusal | undefined {
  const [name = ''] = String(headers['x-amzn-errortype'] ?? body['__type'] ?? '').split(':')
  if (name === 'TooManyRequestsException') return { meaning: 'temporary' }
  if (sesAccountFaults.has(name)) return { meaning: 'integration' }
  // An unverified sender causes the same error as a rejected message.
  if (name === 'MessageRejected' && /not verified/i.test(String(body['message']))) return { meaning: 'integration' }
  return status === 400 ? { meaning: 'message' } : undefined
}

/**
 * Returns the meaning of a rejection by Amazon SNS, which sends its error code in XML.
 *
 * @param answer - The response.
 */
export function explainSns({ status, text }: RefusingAnswer): Refusal | undefined {
  const [, name = ''] = /<Code>([A-Za-z.]{1,100})<\/Code>/.exec(text) ?? []
  if (/^Thrott/.test(name)) return { meaning: 'temporary' }
  return status === 400 && /Clock|Signature|Token/.test(name) ? { meaning: 'integration' } : undefined
}

import type { JsonObject } from '@trestle/protocol'
import { readText } from '../../json/json.ts'
import { isSigningKey } from '../auth/json-web-token.ts'
import type { RequestAuth } from '../base/request-auth.ts'
import type { Refusal, RefusingAnswer } from './provider-api.ts'

/** Returns what is wrong with the credentials of APNs. */
export function findAppleFault({ secretKey }: JsonObject): string | undefined {
  const key = toPem(secretKey)
  return isSigningKey(key, 'ES256')
    ? undefined
    : '"secretKey" must be the content of the .p8 file, a P-256 key in PEM format'
}

/**
 * Returns how requests prove a developer account.
 *
 * @param credentials - `secretKey` (the .p8 file), `apiKey` (the key id) and `projectName` (the team id).
 */
export function toAppleAuth({ secretKey, apiKey, projectName }: JsonObject): RequestAuth {
  const read = (value: unknown): string => readText(value) ?? ''
  return { kind: 'apple', keyId: read(apiKey), teamId: read(projectName), privateKey: toPem(secretKey) }
}

/** In an environment variable, line feeds are often written as `\n`. */
const toPem = (value: unknown): string => (readText(value) ?? '').replaceAll('\\n', '\n')

const accountFaults: ReadonlySet<unknown> = new Set([
  ...['BadTopic', 'MissingTopic', 'TopicDisallowed', 'Forbidden', 'InvalidProviderToken', 'MissingProviderToken'],
  ...['BadCertificate', 'BadCertificateEnvironment', 'UnrelatedKeyIdInToken', 'BadEnvironmentKeyIdInToken'],
])
const passing: ReadonlySet<unknown> = new Set([
  ...['TooManyRequests', 'TooManyProviderTokenUpdates', 'ServiceUnavailable', 'Shutdown'],
])

/**
 * Returns the meaning of a refusal of APNs, which names its reason.
 *
 * @param answer - The answer.
 */
export function explainApns({ body }: RefusingAnswer): Refusal | undefined {
  const { reason } = body
  if (reason === 'ExpiredProviderToken') return { meaning: 'token' }
  if (reason === 'Unregistered' || reason === 'ExpiredToken') return { meaning: 'message', code: 'device_unregistered' }
  if (passing.has(reason)) return { meaning: 'temporary' }
  return accountFaults.has(reason) ? { meaning: 'integration' } : undefined
}

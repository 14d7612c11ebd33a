import type { JsonObject } from '@trestle/protocol'
import { readText } from '../../json/json.ts'
import { isSigningKey } from '../auth/json-web-token.ts'
import type { RequestAuth } from '../base/request-auth.ts'
import type { Refusal, RefusingAnswer } from './provider-api.ts'

/** Returns what is wrong with APNs credentials. */
export function findAppleFault({ secretKey }: JsonObject): string | undefined {
  const key = toPem(secretKey)
  return isSigningKey(key, 'ES256')
    ? undefined
    : '"secretKey" must be the content of the .p8 file, a P-256 key in PEM format'
}

/**
 * Returns how requests are authenticated with a developer account.
 *
 * @param credentials - `secretKey` (the .p8 file), `apiKey` (the key id) and `projectName` (the team id).
 */
export function toAppleAuth({ secretKey, apiKey, projectName }: JsonObject): RequestAuth {
  const read = (value: unknown): string => readText(value) ?? ''
  return { kind: 'apple', keyId: read(apiKey), teamId: read(projectName), privateKey: toPem(secretKey) }
}

/** Restores line feeds, which are often written as `\n` in environment variables. */
const toPem = (value: unknown): string => (readText(value) ?? '').replaceAll('\\n', '\n')

const accountFaults: ReadonlySet<unknown> = new Set([
  ...['BadTopic', 'MissingTopic', 'TopicDisallowed', 'Forbidden', 'InvalidProviderToken', 'MissingProviderToken'],
  ...['BadCertificate', 'BadCertificateEnvironment', 'UnrelatedKeyIdInToken', 'BadEnvironmentKeyIdInToken'],
])
const passing: ReadonlySet<unknown> = new Set([
  ...['TooManyRequests', 'TooManyProviderTokenUpdates', 'ServiceUnavailable', 'Shutdown'],
])

/**
 * Returns the meaning of a rejection by APNs, which contains its reason.
 *
 * @param answer - The response.
 */
export function explainApns({ body }: RefusingAnswer): Refusal | undefined {
  const { reason } = body
  if (reason === 'ExpiredProviderToken') return { meaning: 'token' }
  if (reason === 'Unregistered' || reason === 'ExpiredToken') return { meaning: 'message', code: 'device_unregistered' }
  if (passing.has(reason)) return { meaning: 'temporary' }
  return accountFaults.has(reason) ? { meaning: 'integration' } : undefined
}

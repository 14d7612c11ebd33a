import { isObject, type JsonObject, parseJson } from '@trestle/protocol'
import { readText, toObject } from '../../json/json.ts'
import { isSigningKey } from '../auth/json-web-token.ts'
import type { RequestAuth } from '../base/request-auth.ts'
import type { Refusal, RefusingAnswer } from './provider-api.ts'

const scope = 'https://www.googleapis.com/auth/firebase.messaging'
const defaultTokenUrl = 'https://oauth2.googleapis.com/token'

/**
 * Returns the fields of a service account's key: `projectId`, `clientEmail`, `privateKey` and `tokenUrl`.
 *
 * @param credentials - `serviceAccount`: the content of the key file, as text or as an object.
 */
export function expandServiceAccount({ serviceAccount }: JsonObject): JsonObject {
  const file = typeof serviceAccount === 'string' ? parse(serviceAccount) : toObject(serviceAccount)
  return {
    projectId: file['project_id'],
    clientEmail: file['client_email'],
    privateKey: file['private_key'],
    tokenUrl: readText(file['token_uri']) ?? defaultTokenUrl,
  }
}

/** Returns what is wrong with a service account key. */
export function findServiceAccountFault(credentials: JsonObject): string | undefined {
  const { projectId, clientEmail, privateKey } = credentials
  const texts = [projectId, clientEmail, privateKey].map(readText)
  if (texts.includes(undefined))
    return '"serviceAccount" must be the JSON key file of a service account, with "project_id", "client_email" and "private_key"'
  return isSigningKey(texts[2] ?? '', 'RS256')
    ? undefined
    : 'the "private_key" of "serviceAccount" is not an RSA key in PEM format'
}

/** Returns how requests are authenticated with a service account. */
export function toGoogleAuth({ clientEmail, privateKey, tokenUrl }: JsonObject): RequestAuth {
  const read = (value: unknown): string => readText(value) ?? ''
  return {
    kind: 'google',
    clientEmail: read(clientEmail),
    privateKey: read(privateKey),
    tokenUrl: read(tokenUrl),
    scope,
  }
}

/**
 * Returns the meaning of a rejection by FCM.
 *
 * @param answer - The response.
 */
export function explainFcm({ status, body }: RefusingAnswer): Refusal | undefined {
  const error = toObject(body['error'])
  const details = Array.isArray(error['details']) ? error['details'].filter(isObject) : []
  const code = details.map(({ errorCode }) => readText(errorCode)).find((one) => one !== undefined) ?? error['status']
  if (code === 'UNREGISTERED') return { meaning: 'message', code: 'device_unregistered' }
  if (code === 'SENDER_ID_MISMATCH') return { meaning: 'message' }
  if (code === 'UNAVAILABLE' || code === 'QUOTA_EXCEEDED') return { meaning: 'temporary' }
  if (code === 'THIRD_PARTY_AUTH_ERROR') return { meaning: 'integration' }
  if (status === 401) return { meaning: 'token' }
  // For an unknown device there is an error code; without one, the project does not exist.
  return status === 404 ? { meaning: 'integration' } : undefined
}

function parse(text: string): JsonObject {
  return toObject(parseJson(text))
}

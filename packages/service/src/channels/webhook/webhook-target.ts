import type { JsonObject } from '@trestle/protocol'
import { readText } from '../../json/json.ts'

/** The location and authentication of a webhook integration. */
export interface WebhookTarget {
  /** The URL; absent if the credentials have none. */
  readonly url: string | undefined
  /** Headers with the keys of the integration, in lowercase. */
  readonly headers: Readonly<Record<string, string>>
  /** The key that signs the body. */
  readonly signingKey?: string
  /** The path of the provider's message id in its response. */
  readonly idPath?: string
}

/**
 * Reads the webhook of an integration.
 *
 * @param credentials - `webhookUrl` or `baseUrl`; `apiKeyRequestHeader` with `apiKey` and `secretKeyRequestHeader` with
 * `secretKey` for keys sent as headers; `hmacKey` to sign the body; `idPath` such as `data.id`.
 */
export function readWebhookTarget(credentials: JsonObject): WebhookTarget {
  const signingKey = readText(credentials['hmacKey'])
  const idPath = readText(credentials['idPath'])
  return {
    url: readText(credentials['webhookUrl']) ?? readText(credentials['baseUrl']),
    headers: {
      ...readHeader(credentials['apiKeyRequestHeader'], credentials['apiKey']),
      ...readHeader(credentials['secretKeyRequestHeader'], credentials['secretKey']),
    },
    ...(signingKey ? { signingKey } : {}),
    ...(idPath ? { idPath } : {}),
  }
}

function readHeader(name: unknown, value: unknown): Readonly<Record<string, string>> {
  const header = readText(name)
  const text = readText(value)
  return header && text ? { [header.toLowerCase()]: text } : {}
}

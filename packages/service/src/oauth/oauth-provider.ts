import type { JsonObject } from '@trestle/protocol'
import { readText, toObject } from '../json/json.ts'

/** A chat provider that issues incoming webhooks through OAuth. */
export interface OAuthProvider {
  /** The authorization URL. */
  readonly authorizeUrl: string
  readonly tokenUrl: string
  /** The requested permissions. */
  readonly scope: string
  /**
   * Returns the channel credentials from the response to a token exchange.
   *
   * @returns `undefined` if the provider rejected the exchange.
   */
  readonly readCredentials: (answer: JsonObject) => JsonObject | undefined
}

const providers: Readonly<Record<string, OAuthProvider>> = {
  slack: {
    authorizeUrl: 'https://slack.com/oauth/v2/authorize',
    tokenUrl: 'https://slack.com/api/oauth.v2.access',
    scope: 'incoming-webhook',
    readCredentials(answer) {
      const { url, channel } = toObject(answer['incoming_webhook'])
      const webhookUrl = answer['ok'] === true ? readText(url) : undefined
      return webhookUrl === undefined ? undefined : { webhookUrl, ...(readText(channel) ? { channel } : {}) }
    },
  },
  discord: {
    authorizeUrl: 'https://discord.com/oauth2/authorize',
    tokenUrl: 'https://discord.com/api/oauth2/token',
    scope: 'webhook.incoming',
    readCredentials(answer) {
      const { url, channel_id: channel } = toObject(answer['webhook'])
      const webhookUrl = readText(url)
      return webhookUrl === undefined ? undefined : { webhookUrl, ...(readText(channel) ? { channel } : {}) }
    },
  },
}

/** The providers that issue webhooks through OAuth. */
export const oauthProviderIds: readonly string[] = Object.freeze(Object.keys(providers))

/** Returns the OAuth settings of a provider; `undefined` if it has none. */
export function findOAuthProvider(providerId: string): OAuthProvider | undefined {
  return Object.hasOwn(providers, providerId) ? providers[providerId] : undefined
}

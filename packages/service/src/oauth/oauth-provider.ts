import type { JsonObject } from '@trestle/protocol'
import { readText, toObject } from '../json/json.ts'

/** A chat provider that hands out incoming webhooks by OAuth. */
export interface OAuthProvider {
  /** Where a person says yes. */
  readonly authorizeUrl: string
  /** Where a code is exchanged. */
  readonly tokenUrl: string
  /** The permissions that are asked for. */
  readonly scope: string
  /**
   * Returns the credentials of the channel in the answer to an exchange.
   *
   * @param answer - The answer.
   * @returns `undefined` where the provider refused.
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

/** The providers whose webhooks are handed out by OAuth. */
export const oauthProviderIds: readonly string[] = Object.freeze(Object.keys(providers))

/**
 * Returns how a provider hands out webhooks; `undefined` for those that do not.
 *
 * @param providerId - The provider.
 */
export function findOAuthProvider(providerId: string): OAuthProvider | undefined {
  return Object.hasOwn(providers, providerId) ? providers[providerId] : undefined
}

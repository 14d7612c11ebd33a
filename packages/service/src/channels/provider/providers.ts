import type { MessageType } from '@trestle/protocol'
import { providerApis } from '../apis/api-request.ts'

/** How a provider is reached. */
export type SenderKind = 'smtp' | 'slack' | 'discord' | 'teams' | 'webhook' | 'api' | 'none'

/** A delivery provider the service can hand messages to. */
export interface Provider {
  /** The channel it delivers. */
  readonly channel: MessageType
  /** How it is reached; `none` where its messages go to the outbox. */
  readonly sender: SenderKind
}

const providers: Readonly<Record<string, Provider>> = {
  nodemailer: { channel: 'email', sender: 'smtp' },
  'email-webhook': { channel: 'email', sender: 'webhook' },
  slack: { channel: 'chat', sender: 'slack' },
  mattermost: { channel: 'chat', sender: 'slack' },
  'rocket-chat': { channel: 'chat', sender: 'slack' },
  ryver: { channel: 'chat', sender: 'slack' },
  msteams: { channel: 'chat', sender: 'teams' },
  discord: { channel: 'chat', sender: 'discord' },
  'chat-webhook': { channel: 'chat', sender: 'webhook' },
  'push-webhook': { channel: 'push', sender: 'webhook' },
  'generic-sms': { channel: 'sms', sender: 'webhook' },
  'tool-webhook': { channel: 'tool', sender: 'webhook' },
  novu: { channel: 'in_app', sender: 'none' },
  ...Object.fromEntries(Object.entries(providerApis).map(([id, { channel }]) => [id, { channel, sender: 'api' }])),
}

/**
 * Returns how a provider is reached: by SMTP, by a webhook of its form, by its HTTP API, or, for all that are not known here, not at all.
 *
 * @param providerId - The provider.
 */
export function senderOf(providerId: string): SenderKind {
  return Object.hasOwn(providers, providerId) ? (providers[providerId]?.sender ?? 'none') : 'none'
}

/**
 * Returns what a provider delivers; `undefined` for providers that are not known here.
 *
 * @param providerId - The provider.
 */
export function channelOf(providerId: string): MessageType | undefined {
  return Object.hasOwn(providers, providerId) ? providers[providerId]?.channel : undefined
}

/** The providers whose messages leave the service, with their channels. */
export const deliveringProviders: readonly (readonly [providerId: string, provider: Provider])[] = Object.freeze(
  Object.entries(providers).filter(([, { sender }]) => sender !== 'none'),
)

const ownProviders: Readonly<Record<MessageType, string>> = {
  in_app: 'novu',
  email: 'novu-email',
  sms: 'novu-sms',
  push: 'novu',
  chat: 'novu',
  tool: 'novu',
}

/**
 * Returns the provider id of messages that no integration delivers.
 *
 * @param channel - The channel.
 */
export function ownProviderOf(channel: MessageType): string {
  return ownProviders[channel]
}

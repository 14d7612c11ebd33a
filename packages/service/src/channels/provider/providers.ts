import type { MessageType } from '@trestle/protocol'
import { providerApis } from '../apis/api-request.ts'

/** How a provider is reached. */
export type SenderKind = 'smtp' | 'slack' | 'discord' | 'teams' | 'webhook' | 'api' | 'none'

/** A delivery provider that the service supports. */
export interface Provider {
  /** The channel it delivers. */
  readonly channel: MessageType
  /** How it is reached; `none` if its messages are kept in the outbox. */
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
 * Returns how a provider is reached: by SMTP, by a webhook in its format, by its HTTP API, or not at all if unknown.
 */
export function senderOf(providerId: string): SenderKind {
  return Object.hasOwn(providers, providerId) ? (providers[providerId]?.sender ?? 'none') : 'none'
}

/** Returns the channel of a provider; `undefined` if unknown. */
export function channelOf(providerId: string): MessageType | undefined {
  return Object.hasOwn(providers, providerId) ? providers[providerId]?.channel : undefined
}

/** The supported providers, with their channels. */
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

/** Returns the provider id of messages without a delivering integration. */
export function ownProviderOf(channel: MessageType): string {
  return ownProviders[channel]
}

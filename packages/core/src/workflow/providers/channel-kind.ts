import type { providerIds } from './provider-ids.ts'

/** The kinds of step that send a message, and so have providers. */
export type ChannelKind = keyof typeof providerIds

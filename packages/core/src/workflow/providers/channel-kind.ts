import type { providerIds } from './provider-ids.ts'

/** The step kinds that send a message, and therefore have providers. */
export type ChannelKind = keyof typeof providerIds

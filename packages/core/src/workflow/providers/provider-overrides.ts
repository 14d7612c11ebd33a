import type { FromSchema } from 'json-schema-to-ts'
import type { Awaitable } from '../../base/awaitable.ts'
import type { ChannelKind } from './channel-kind.ts'
import type { emailProviders } from './email-fields.ts'
import type { providerIds } from './provider-ids.ts'
import type { pushProviders } from './push-fields.ts'
import type { chatProviders, inAppProviders, smsProviders } from './text-fields.ts'

/** Fields sent to a provider unchanged, without validation by a schema. */
export interface Passthrough {
  /** Merged into the request's body. */
  readonly body?: Readonly<Record<string, unknown>> | undefined
  /** Added to the request's headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Added to the request's query. */
  readonly query?: Readonly<Record<string, string>> | undefined
}

/** The ids of a step kind's providers. */
export type ProviderId<TKind extends ChannelKind> = (typeof providerIds)[TKind][number]

/** The providers with known fields, with their schemas. */
interface KnownProviders {
  readonly email: typeof emailProviders
  readonly sms: typeof smsProviders
  readonly push: typeof pushProviders
  readonly chat: typeof chatProviders
  readonly inApp: typeof inAppProviders
  readonly tool: Readonly<Record<never, never>>
}

/** The fields of a provider: typed if they are known; otherwise, any field is allowed. */
export type ProviderFields<TKind extends ChannelKind, TId> = TId extends keyof KnownProviders[TKind]
  ? KnownProviders[TKind][TId] extends infer TSchema extends object
    ? FromSchema<TSchema>
    : never
  : Readonly<Record<string, unknown>>

/** The output of a provider override. */
export type ProviderOutput<TKind extends ChannelKind, TId> = ProviderFields<TKind, TId> & {
  /** Fields that are not validated by the schema. */
  readonly _passthrough?: Passthrough | undefined
}

/** Overrides by provider id, for a step kind. */
export type ProviderOverrides<TKind extends ChannelKind, TOutput, TControls> = {
  readonly [TId in ProviderId<TKind>]?: (input: {
    /** The step's controls. */
    readonly controls: TControls
    /** The step's output, sanitized. */
    readonly outputs: TOutput
  }) => Awaitable<ProviderOutput<TKind, TId>>
}

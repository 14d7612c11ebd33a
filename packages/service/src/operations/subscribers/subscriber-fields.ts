import { z } from 'zod'
import { filledText, jsonObject, mailAddress, pathId, text, timezone } from '../../api/input.ts'

/** The providers whose credentials subscribers carry. @source service-api.md#subscriber */
export const channelProviders = [
  'slack',
  'discord',
  'msteams',
  'mattermost',
  'ryver',
  'zulip',
  'grafana-on-call',
  'getstream',
  'rocket-chat',
  'whatsapp-business',
  'fcm',
  'apns',
  'expo',
  'one-signal',
  'pushpad',
  'push-webhook',
  'pusher-beams',
] as const

/** The identifier of a subscriber, which callers choose. */
export const subscriberIdField: z.ZodType<string> = pathId()

/** The fields of a subscriber's profile, each of them optional and nullable. */
export interface SubscriberProfile {
  /** Given name. */
  readonly firstName?: string | null | undefined
  /** Family name. */
  readonly lastName?: string | null | undefined
  /** Mail address. */
  readonly email?: string | null | undefined
  /** Phone number. */
  readonly phone?: string | null | undefined
  /** Address of a picture. */
  readonly avatar?: string | null | undefined
  /** Language. */
  readonly locale?: string | null | undefined
  /** Time zone. */
  readonly timezone?: string | null | undefined
  /** Free fields. */
  readonly data?: Readonly<Record<string, unknown>> | null | undefined
}

/** The schemas of {@link SubscriberProfile}, to be spread into the schema of a body. */
export const profileFields: { readonly [K in keyof Required<SubscriberProfile>]: z.ZodType<SubscriberProfile[K]> } = {
  firstName: text(500).nullish(),
  lastName: text(500).nullish(),
  email: z.union([z.literal(''), mailAddress()]).nullish(),
  phone: text(100).nullish(),
  avatar: text(5000).nullish(),
  locale: text(50)
    .refine(
      (locale) => locale === '' || /^[A-Za-z]{2,8}([_-][A-Za-z0-9]{1,8})*$/.test(locale),
      'must be a language, such as en_US',
    )
    .nullish(),
  timezone: timezone().nullish(),
  data: jsonObject().nullish(),
}

/** The credentials of a subscriber's channel. @source service-api.md#subscriber */
export const credentialsField: z.ZodType<Readonly<Record<string, unknown>>> = z.strictObject({
  webhookUrl: text(5000).optional(),
  channel: text(500).optional(),
  deviceTokens: z
    .array(filledText(4096))
    .max(100, 'must have at most 100 tokens')
    // A device that is named twice would be told twice.
    .transform((tokens) => [...new Set(tokens)])
    .optional(),
  alertUid: text(500).optional(),
  title: text(500).optional(),
  imageUrl: text(5000).optional(),
  state: text(500).optional(),
  externalUrl: text(5000).optional(),
})

/** The body that sets the credentials of a channel. */
export interface ChannelBody {
  /** The provider. */
  readonly providerId: string
  /** The credentials. */
  readonly credentials: Readonly<Record<string, unknown>>
  /** Which integration of the provider. */
  readonly integrationIdentifier?: string | undefined
}

/** The schema of {@link ChannelBody}. */
export const channelField: z.ZodType<ChannelBody> = z.strictObject({
  providerId: z.enum(channelProviders, `must be one of ${channelProviders.join(', ')}`),
  integrationIdentifier: filledText().optional(),
  credentials: credentialsField,
})

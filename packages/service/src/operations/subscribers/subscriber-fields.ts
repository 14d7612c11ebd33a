import { z } from 'zod'
import { filledText, jsonObject, mailAddress, pathId, text, timezone } from '../../api/input.ts'
import { named } from '../../resources/named.ts'

/** Providers with subscriber credentials. @source service-api.md#subscriber */
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

/** The id of a subscriber, chosen by callers. */
export const subscriberIdField: z.ZodType<string> = pathId()

/** The profile fields of a subscriber, all optional and nullable. */
export interface SubscriberProfile {
  readonly firstName?: string | null | undefined
  readonly lastName?: string | null | undefined
  readonly email?: string | null | undefined
  readonly phone?: string | null | undefined
  readonly avatar?: string | null | undefined
  readonly locale?: string | null | undefined
  readonly timezone?: string | null | undefined
  readonly data?: Readonly<Record<string, unknown>> | null | undefined
}

/** The schemas of {@link SubscriberProfile}, to spread into the schema of a body. */
export const profileFields: { readonly [K in keyof Required<SubscriberProfile>]: z.ZodType<SubscriberProfile[K]> } = {
  firstName: text(500).nullish().describe('Given name.'),
  lastName: text(500).nullish().describe('Family name.'),
  email: z
    .union([z.literal(''), mailAddress()])
    .nullish()
    .describe('Email address.'),
  phone: text(100).nullish().describe('Phone number.'),
  avatar: text(5000).nullish().describe('URL of an image.'),
  locale: text(50)
    .refine(
      (locale) => locale === '' || /^[A-Za-z]{2,8}([_-][A-Za-z0-9]{1,8})*$/.test(locale),
      'must be a language, such as en_US',
    )
    .nullish()
    .describe('BCP 47 language tag.'),
  timezone: timezone().nullish().describe('IANA time zone.'),
  data: jsonObject().nullish().describe('Custom data.'),
}

/** The maximum number of a subscriber's device tokens per provider. */
export const maxDeviceTokens = 100

/** The credentials of a subscriber's channel. @source service-api.md#subscriber */
export const credentialsField: z.ZodType<Readonly<Record<string, unknown>>> = z.strictObject({
  webhookUrl: text(5000).optional().describe('Webhook URL of a chat.'),
  channel: text(500).optional().describe('Name of a channel.'),
  deviceTokens: z
    .array(filledText(4096))
    .max(maxDeviceTokens, `must have at most ${maxDeviceTokens} tokens`)
    // A duplicate token would send the message twice.
    .transform((tokens) => [...new Set(tokens)])
    .optional()
    .describe('Device tokens.'),
  alertUid: text(500).optional().describe('Identifier of an alert.'),
  title: text(500).optional().describe('Title of an alert.'),
  imageUrl: text(5000).optional().describe('Picture of an alert.'),
  state: text(500).optional().describe('State of an alert.'),
  externalUrl: text(5000).optional().describe('Link of an alert.'),
})

export interface ChannelBody {
  readonly providerId: string
  readonly credentials: Readonly<Record<string, unknown>>
  /** The identifier of an integration of the provider. */
  readonly integrationIdentifier?: string | undefined
}

/** The schema of {@link ChannelBody}. */
export const channelField: z.ZodType<ChannelBody> = named(
  'CredentialsBody',
  'Credentials for one provider, as stored for a subscriber.',
  z.strictObject({
    providerId: named(
      'ChannelProvider',
      'A provider with subscriber credentials.',
      z.enum(channelProviders, `must be one of ${channelProviders.join(', ')}`),
    ).describe('The provider.'),
    integrationIdentifier: filledText().optional().describe('The integration, if the provider has several.'),
    credentials: credentialsField.describe('The credentials it needs.'),
  }),
)

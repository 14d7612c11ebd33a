import { z } from 'zod'
import { filledText, jsonObject, mailAddress, pathId, text, timezone } from '../../api/input.ts'
import { named } from '../../resources/named.ts'

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
  firstName: text(500).nullish().describe('Given name.'),
  lastName: text(500).nullish().describe('Family name.'),
  email: z
    .union([z.literal(''), mailAddress()])
    .nullish()
    .describe('Mail address.'),
  phone: text(100).nullish().describe('Phone number.'),
  avatar: text(5000).nullish().describe('URL of a picture.'),
  locale: text(50)
    .refine(
      (locale) => locale === '' || /^[A-Za-z]{2,8}([_-][A-Za-z0-9]{1,8})*$/.test(locale),
      'must be a language, such as en_US',
    )
    .nullish()
    .describe('BCP 47 language tag.'),
  timezone: timezone().nullish().describe('Time zone, IANA name.'),
  data: jsonObject().nullish().describe('Free fields.'),
}

/** The credentials of a subscriber's channel. @source service-api.md#subscriber */
export const credentialsField: z.ZodType<Readonly<Record<string, unknown>>> = z.strictObject({
  webhookUrl: text(5000).optional().describe('Webhook of a chat.'),
  channel: text(500).optional().describe('Name of a channel.'),
  deviceTokens: z
    .array(filledText(4096))
    .max(100, 'must have at most 100 tokens')
    // A device that is named twice would be told twice.
    .transform((tokens) => [...new Set(tokens)])
    .optional()
    .describe('Tokens of devices.'),
  alertUid: text(500).optional().describe('Identifier of an alert.'),
  title: text(500).optional().describe('Title of an alert.'),
  imageUrl: text(5000).optional().describe('Picture of an alert.'),
  state: text(500).optional().describe('State of an alert.'),
  externalUrl: text(5000).optional().describe('Link of an alert.'),
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
export const channelField: z.ZodType<ChannelBody> = named(
  'CredentialsBody',
  'Credentials for one provider, as they are stored for a subscriber.',
  z.strictObject({
    providerId: named(
      'ChannelProvider',
      'A provider that a subscriber can have credentials for.',
      z.enum(channelProviders, `must be one of ${channelProviders.join(', ')}`),
    ).describe('The provider.'),
    integrationIdentifier: filledText().optional().describe('The integration, where the provider has several.'),
    credentials: credentialsField.describe('The credentials it needs.'),
  }),
)

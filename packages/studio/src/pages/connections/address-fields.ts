import { ownEntry } from '../../base/own-entry.ts'
import { type FormField, type FormValues, withoutEmpty } from '../../resource/form-field.ts'

const url: FormField = { name: 'url', label: 'URL', required: true, mono: true, isWide: true }
const region: FormField = {
  name: 'region',
  label: 'Region',
  kind: 'select',
  options: [
    { value: 'us', text: 'United States' },
    { value: 'eu', text: 'Europe' },
  ],
}
const id = (name: string, label: string): FormField => ({ name, label, required: true, mono: true })
const secret = (name: string, label: string): FormField => ({ name, label, required: true, secret: true })

/** A type of address. */
export interface AddressType {
  readonly text: string
  /** The fields of the address. */
  readonly fields: readonly FormField[]
}

/** The types of addresses that a subscriber can have at a provider. */
export const addressTypes: Readonly<Record<string, AddressType>> = {
  slack_channel: { text: 'Slack channel', fields: [id('channelId', 'Channel id')] },
  slack_user: { text: 'Slack user', fields: [id('userId', 'User id')] },
  webhook: { text: 'Webhook', fields: [url, { name: 'channel', label: 'Channel', mono: true }] },
  phone: { text: 'Phone', fields: [id('phoneNumber', 'Phone number')] },
  ms_teams_channel: {
    text: 'Microsoft Teams channel',
    fields: [id('teamId', 'Team id'), id('channelId', 'Channel id')],
  },
  ms_teams_user: { text: 'Microsoft Teams user', fields: [id('userId', 'User id')] },
  telegram_chat: { text: 'Telegram chat', fields: [id('chatId', 'Chat id')] },
  webex_room: {
    text: 'Webex room',
    fields: [id('roomId', 'Room id'), { ...id('parentId', 'Parent id'), required: false }],
  },
  webex_person: {
    text: 'Webex person',
    fields: [
      { name: 'personId', label: 'Person id', mono: true },
      { name: 'personEmail', label: 'Email', mono: true },
    ],
  },
  line_user: { text: 'LINE user', fields: [id('userId', 'User id')] },
  pagerduty_service: { text: 'PagerDuty service', fields: [secret('routingKey', 'Routing key'), region] },
  opsgenie_integration: { text: 'Opsgenie integration', fields: [secret('apiKey', 'API key'), region] },
  grafana_oncall_integration: {
    text: 'Grafana OnCall integration',
    fields: [url, { ...secret('authToken', 'Token'), required: false }],
  },
  tool_webhook: {
    text: 'Webhook of a tool',
    fields: [
      url,
      {
        name: 'method',
        label: 'Method',
        kind: 'select',
        options: ['POST', 'PUT', 'PATCH'].map((value) => ({ value, text: value })),
      },
      { name: 'headers', label: 'Headers', kind: 'json' },
    ],
  },
}

const ofUnknown: FormField = { name: 'endpoint', label: 'Address', kind: 'json' }

const find = (type: string): AddressType | undefined => ownEntry(addressTypes, type)

/** Returns the display name of a type of address. */
export const typeName = (type: string): string => find(type)?.text ?? type

/**
 * Returns the fields of an address, named as the service names them in errors.
 *
 * @param type - The type; one that is not known has its address as JSON.
 */
export function addressFieldsOf(type: string): readonly FormField[] {
  return find(type)?.fields.map((field) => ({ ...field, errorName: `endpoint.${field.name}` })) ?? [ofUnknown]
}

/** Returns the form values of an address. Secrets are never shown, so they are entered again to save. */
export function toValues(fields: readonly FormField[], address: FormValues): FormValues {
  if (fields.includes(ofUnknown)) return { endpoint: address }
  return Object.fromEntries(fields.map(({ name, secret }) => [name, secret ? undefined : address[name]]))
}

/** Returns the address of form values, as the API takes it. */
export function toAddress(fields: readonly FormField[], values: FormValues): FormValues {
  if (fields.includes(ofUnknown)) return (values['endpoint'] ?? {}) as FormValues
  return withoutEmpty(Object.fromEntries(fields.map(({ name }) => [name, values[name]])))
}

/** Returns the first values of an address: the first choice of each list. */
export function firstValues(fields: readonly FormField[]): FormValues {
  return Object.fromEntries(fields.flatMap(({ name, options }) => (options?.[0] ? [[name, options[0].value]] : [])))
}

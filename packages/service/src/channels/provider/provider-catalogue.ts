import type { MessageType } from '@trestle/protocol'
import { apiOf } from '../apis/api-request.ts'
import { type CredentialText, nameOfProvider, textOfCredential } from './credential-texts.ts'
import { deliveringProviders, type SenderKind } from './providers.ts'

/** A credential, as requested in a form. */
export interface CredentialField extends CredentialText {
  readonly name: string
  readonly required: boolean
}

/** A provider that an integration can use. */
export interface CatalogueEntry {
  readonly providerId: string
  readonly name: string
  readonly channel: MessageType
  readonly fields: readonly CredentialField[]
}

const mailSender = ['senderName', 'replyTo']
const webhookKeys = ['apiKeyRequestHeader', 'apiKey', 'secretKeyRequestHeader', 'secretKey', 'hmacKey', 'idPath']

/** Credentials that an API or its delivery reports use but do not require, besides those in its headers. */
const optional: Readonly<Record<string, readonly string[]>> = {
  ses: ['configurationSet', 'topicArn'],
  sendgrid: ['webhookKey'],
  resend: ['webhookKey'],
  postmark: ['webhookKey'],
  sendinblue: ['webhookKey'],
  mailgun: ['webhookKey'],
  twilio: ['statusCallback'],
  nexmo: ['webhookKey'],
  telnyx: ['messageProfileId', 'webhookKey'],
  telegram: ['channel'],
  'whatsapp-business': ['webhookKey', 'verifyToken'],
}

interface Names {
  readonly required: readonly string[]
  readonly optional: readonly string[]
}

const smtp: Names = {
  required: ['host', 'from'],
  optional: ['port', 'user', 'password', ...mailSender, 'secure', 'requireTls', 'ignoreTls', 'domain'],
}

/** Returns all providers that deliver messages, with the credentials they take. */
export function listProviders(): readonly CatalogueEntry[] {
  return deliveringProviders.map(([providerId, { channel, sender }]) => {
    const names = namesOf(providerId, { channel, sender })
    const toField = (required: boolean) => (name: string) => ({
      name,
      required,
      ...textOfCredential(providerId, name),
    })
    const fields = [...names.required.map(toField(true)), ...names.optional.map(toField(false))]
    return { providerId, name: nameOfProvider(providerId), channel, fields }
  })
}

function namesOf(providerId: string, kind: { readonly channel: MessageType; readonly sender: SenderKind }): Names {
  if (kind.sender === 'smtp') return smtp
  if (kind.sender === 'api') return namesOfApi(providerId)
  if (kind.sender !== 'webhook') return { required: [], optional: ['webhookUrl'] }
  const isMail = kind.channel === 'email'
  const sender = isMail ? ['from', ...mailSender] : kind.channel === 'sms' ? ['from'] : []
  return { required: ['webhookUrl'], optional: [...sender, ...webhookKeys] }
}

function namesOfApi(providerId: string): Names {
  const api = apiOf(providerId)
  if (!api) return { required: [], optional: [] }
  const { needs, headers, channel, mayLackSender = false } = api
  const needsSender = channel === 'email' || (channel === 'sms' && !mayLackSender)
  const required = [...needs, ...(needsSender ? ['from'] : [])]
  const inHeaders = Object.values(headers).flatMap((text) =>
    [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
  )
  const others = [
    ...(channel === 'sms' && mayLackSender ? ['from'] : []),
    ...(channel === 'email' ? mailSender : []),
    ...inHeaders,
    ...(Object.hasOwn(optional, providerId) ? (optional[providerId] ?? []) : []),
    'baseUrl',
  ]
  return { required, optional: [...new Set(others)].filter((name) => !required.includes(name)) }
}

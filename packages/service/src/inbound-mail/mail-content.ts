import type { ReceivedMail } from '@trestle/inbound-mail'
import type { JsonObject } from '@trestle/protocol'
import { compact } from '../json/json.ts'
import type { InboundPlace } from './find-route.ts'

/**
 * Returns an email as its webhook receives it, without its id.
 *
 * @param mail - The email.
 * @param place - The destination.
 * @param nowMs - When it was received, in milliseconds since 1970.
 */
export function toContent(mail: ReceivedMail, { recipient, domain, route }: InboundPlace, nowMs: number): JsonObject {
  const { envelopeFrom, remoteAddress, helo, isSecure, recipients, authentication, automatic, sizeBytes } = mail
  return {
    type: 'email.received',
    receivedAt: new Date(nowMs).toISOString(),
    domain: { name: domain.name, data: readData(domain.data) },
    route: { address: route.address, data: readData(route.data) },
    recipient,
    envelope: { from: envelopeFrom, to: [...recipients], remoteAddress, helo, tls: isSecure },
    authentication: toPlain(authentication),
    ...(automatic === undefined ? {} : { automatic: toPlain(automatic) }),
    mail: compact({
      ...{ from: toPlain(mail.from), to: toPlain(mail.to), cc: toPlain(mail.cc), replyTo: toPlain(mail.replyTo) },
      ...{ subject: mail.subject, messageId: mail.messageId, answers: toPlain(mail.answers), date: mail.date },
      ...{ text: mail.text, html: mail.html, headers: toPlain(mail.headers), sizeBytes },
      attachments: toPlain(mail.attachments),
    }),
  }
}

const readData = (data: string | null): JsonObject => (data === null ? {} : (JSON.parse(data) as JsonObject))

/** Removes fields without a value. */
const toPlain = (value: unknown): never => JSON.parse(JSON.stringify(value)) as never

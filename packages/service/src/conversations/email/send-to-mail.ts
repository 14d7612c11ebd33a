import type { Outbound } from '@trestle/bridge-client'
import type { JsonObject } from '@trestle/protocol'
import { maskSecrets } from '../../bridge/mask-secrets.ts'
import { SendError } from '../../channels/base/send-error.ts'
import { sendMail } from '../../channels/email/send-mail.ts'
import { secretsOfCredentials } from '../../channels/sealed-delivery.ts'
import { compact, toObject } from '../../json/json.ts'
import { sealedPlaces } from '../../secrets/sealed-places.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { ConversationMessageRow, ConversationRow } from '../../store/schema/agent.ts'
import type { Session, Store } from '../../store/store.ts'
import { toMessageText } from '../base/message-text.ts'
import type { DeliverySender } from '../delivery/delivery-outcome.ts'
import { readEmailLocation } from './email-location.ts'

/** Dependencies for sending emails from agents. */
export interface MailSenderPorts {
  readonly store: Pick<Store, 'db'>
  readonly vault: Vault
  /** Checks addresses of mail servers. */
  readonly outbound: Pick<Outbound, 'resolveHost'>
}

const maxAttempts = 8
const firstRetryMs = 5_000
const longestRetryMs = 600_000

/**
 * Creates the sender of agent messages as emails, through the first active SMTP integration of the environment. A sent
 * email cannot be changed, so edits, deletions and reactions are ignored.
 *
 * @param ports - Dependencies.
 */
export function createMailSender({ store, vault, outbound }: MailSenderPorts): DeliverySender {
  return async ({ conversation, delivery }, signal) => {
    if (delivery.event !== 'post') return { attempts: 0 }
    const sent = await store.db
      .selectFrom('conversationMessages')
      .selectAll()
      .where('id', '=', delivery.messageId ?? '')
      .executeTakeFirst()
    // Messages from the service itself, for example about an unreachable bridge, are only shown in the studio.
    if (!sent || sent.deletedAt !== null || sent.role !== 'agent') return { attempts: 0 }
    const credentials = await findCredentials({ db: store.db, vault }, conversation.environmentId)
    if (!credentials) {
      const text = 'The environment has no active email integration for the provider nodemailer (SMTP).'
      return { attempts: 1, fault: { code: 'integration_not_found', message: text } }
    }
    try {
      await sendMail(toMail(conversation, sent), credentials, { outbound, signal })
      return { attempts: 1 }
    } catch (error) {
      if (!(error instanceof SendError)) throw error
      const message = String(maskSecrets(error.message, secretsOfCredentials(credentials)))
      const fault = { code: error.code, message }
      const attempts = delivery.attempts + 1
      if (error.waitMs === undefined || attempts >= maxAttempts) return { attempts: 1, fault }
      const retryMs = Math.max(error.waitMs, Math.min(firstRetryMs * 2 ** (attempts - 1), longestRetryMs))
      return { attempts: 1, fault, retryMs }
    }
  }
}

/**
 * The Message-ID identifies the message, so that replies can be matched to it, and an email that is sent twice after a
 * crash is shown once.
 */
function toMail(conversation: ConversationRow, message: ConversationMessageRow): JsonObject {
  const { address, name, recipient, subject, messageId, references } = readEmailLocation(conversation)
  const files = JSON.parse(message.files) as readonly { name: string; mimeType?: string; data?: string }[]
  return compact({
    from: recipient,
    to: { name, address },
    subject: /^re:/i.test(subject) ? subject : `Re: ${subject}`,
    text: toMessageText(message),
    messageId: `<${message.id}.${conversation.id}@${recipient.split('@').at(-1)}>`,
    inReplyTo: messageId,
    references: references === undefined ? undefined : [...references],
    headers: { 'auto-submitted': 'auto-replied' },
    attachments: files.flatMap(({ name: filename, mimeType: contentType, data: content }) =>
      content === undefined ? [] : [compact({ filename, contentType, content, encoding: 'base64' })],
    ),
  }) as JsonObject
}

async function findCredentials(
  { db, vault }: { readonly db: Session; readonly vault: Vault },
  environmentId: string,
): Promise<JsonObject | undefined> {
  const row = await db
    .selectFrom('integrations')
    .select(['id', 'credentials'])
    .where('environmentId', '=', environmentId)
    .where('channel', '=', 'email')
    .where('providerId', '=', 'nodemailer')
    .where('active', '=', 1)
    .orderBy('isPrimary', 'desc')
    .orderBy('priority', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (!row) return undefined
  return toObject(JSON.parse(vault.open(row.credentials, sealedPlaces.credentials(row.id)))) as JsonObject
}

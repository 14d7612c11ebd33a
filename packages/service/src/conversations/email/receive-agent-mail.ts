import { toPlainText } from '@trestle/html/plain-text'
import type { MailRefusal, ReceivedMail } from '@trestle/inbound-mail'
import { ApiError } from '../../api/api-error.ts'
import { shorten } from '../../channels/base/shorten.ts'
import { compact } from '../../json/json.ts'
import type { ConversationRow } from '../../store/schema/agent.ts'
import type { DomainRouteRow } from '../../store/schema/domain.ts'
import type { Session } from '../../store/store.ts'
import { changeHeld, lockConversation } from '../base/change-conversation.ts'
import { conversationLimits } from '../base/conversation-limits.ts'
import type { ConversationPorts } from '../base/conversation-ports.ts'
import { createConversation } from '../base/create-conversation.ts'
import { hasMessage } from '../inbound/has-message.ts'
import { writeMessage } from '../inbound/write-message.ts'
import { type EmailLocation, emailIntegration, readEmailLocation } from './email-location.ts'

/** The outcome of an email to an agent: a message of a conversation, ignored, or rejected. */
export type AgentMailOutcome =
  | { readonly status: 'delivered'; readonly conversationId: string }
  | { readonly status: 'ignored'; readonly reason: string }
  | { readonly refusal: MailRefusal }

export interface AgentMail {
  readonly mail: ReceivedMail
  /** The agent's address and route. */
  readonly place: { readonly recipient: string; readonly route: DomainRouteRow }
  /** The time, in milliseconds since 1970. */
  readonly nowMs: number
}

/**
 * Adds an email to the conversation it replies to, or starts one. Only the user of the conversation can continue it,
 * and only with an authenticated sender. Automatic mail is ignored, so that programs never answer each other.
 *
 * @param ports - The transaction and the queue of deliveries.
 */
export async function receiveAgentMail(
  { tx, queue }: Pick<ConversationPorts, 'queue'> & { readonly tx: Session },
  given: AgentMail,
): Promise<AgentMailOutcome> {
  const { mail, nowMs } = given
  const { automatic, authentication, from } = mail
  if (automatic) return { status: 'ignored', reason: `Automatic mail: ${automatic.kind}. ${automatic.reason}` }
  if (authentication.verdict !== 'pass')
    return refuse(
      550,
      `5.7.1 The sender ${from.address} is not authenticated: neither SPF nor DKIM passes for its domain.`,
    )
  try {
    const answeredConversation = await findAnswered(tx, given)
    if (answeredConversation && answeredConversation.place.address !== from.address)
      return refuse(550, '5.7.1 The mail answers a conversation with another address. Write a new mail instead.')
    const conversation = answeredConversation?.row ?? (await begin(tx, given))
    const { environmentId, id: conversationId } = conversation
    const row = await lockConversation(tx, { environmentId, conversationId })
    if (!row) return refuse(451, '4.3.0 The conversation was removed. Try again.')
    // The mail may have several addresses of the agent.
    if (await hasMessage(tx, { conversationId, platformMessageId: mail.messageId }))
      return { status: 'delivered', conversationId }
    const references = [...mail.answers].reverse().concat(mail.messageId ?? [])
    row.platformContext = JSON.stringify(compact({ ...readEmailLocation(row), messageId: mail.messageId, references }))
    await changeHeld({ tx, row, nowMs, queue }, (held) => writeMessage(held, toWritten(mail)))
    return { status: 'delivered', conversationId }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.status === 503 ? refuse(451, `4.3.1 ${error.message}`) : refuse(552, `5.2.2 ${error.message}`)
  }
}

const refuse = (code: number, message: string): { readonly refusal: MailRefusal } => ({ refusal: { code, message } })

function toWritten(mail: ReceivedMail) {
  const { from, text, html, subject, messageId, attachments } = mail
  const said = [text, html === undefined ? undefined : toPlainText(html), subject].find((part) => part?.trim())
  return {
    text: shorten(said ?? '', conversationLimits.textLength),
    author: compact({ userId: from.address, fullName: from.name || undefined }),
    attachments: attachments.map(({ fileName, contentType, sizeBytes }) => ({
      ...{ name: fileName, mimeType: contentType, size: sizeBytes },
    })),
    ...(messageId === undefined ? {} : { platformMessageId: messageId }),
  }
}

interface Answered {
  readonly row: ConversationRow
  readonly place: EmailLocation
}

/** Prefers the nearest email that it replies to. */
async function findAnswered(tx: Session, { mail, place }: AgentMail): Promise<Answered | undefined> {
  if (mail.answers.length === 0) return undefined
  // The agent's own emails are identified by Message-ID, even before their delivery is recorded.
  const ownIds = mail.answers.flatMap((id) => /^<([0-9a-f]{24})\.[0-9a-f]{24}@/.exec(id)?.[1] ?? [])
  const rows = await tx
    .selectFrom('conversationMessages as message')
    .innerJoin('conversations', 'conversations.id', 'message.conversationId')
    .selectAll('conversations')
    .select(['message.platformMessageId', 'message.id as answeredId'])
    .where('message.environmentId', '=', place.route.environmentId)
    .where(({ eb, or }) =>
      or([
        eb('message.platformMessageId', 'in', [...mail.answers]),
        ...(ownIds.length === 0 ? [] : [eb('message.id', 'in', ownIds)]),
      ]),
    )
    .where('conversations.platform', '=', 'email')
    .where('conversations.agentId', '=', place.route.agentId)
    .limit(1000)
    .execute()
  const answeredRow = mail.answers.flatMap(
    (id) => rows.find((row) => row.platformMessageId === id || id.startsWith(`<${row.answeredId}.`)) ?? [],
  )[0]
  if (!answeredRow) return undefined
  const { platformMessageId: _, answeredId: __, ...row } = answeredRow
  return { row, place: readEmailLocation(row) }
}

async function begin(tx: Session, { mail, place, nowMs }: AgentMail): Promise<ConversationRow> {
  const { environmentId, agentId } = place.route
  const { from, subject, digest } = mail
  const platformContext: EmailLocation = { address: from.address, name: from.name, recipient: place.recipient, subject }
  const given = {
    ...({ environmentId, agentId: agentId ?? '', platform: 'email', integrationIdentifier: emailIntegration } as const),
    ...{ threadKey: digest, platformContext },
  }
  const row = await createConversation(tx, given, nowMs)
  if (!row) throw new ApiError(409, 'The mail already started a conversation.')
  return row
}

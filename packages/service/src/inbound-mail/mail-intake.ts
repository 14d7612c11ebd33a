import type { MailRefusal, ReceivedMail } from '@trestle/inbound-mail'
import type { ConversationPorts } from '../conversations/base/conversation-ports.ts'
import { type AgentMailOutcome, receiveAgentMail } from '../conversations/email/receive-agent-mail.ts'
import { createId } from '../store/create-id.ts'
import type { InboundMailRow } from '../store/schema/domain.ts'
import type { Session } from '../store/store.ts'
import { toDedupeKey } from './dedupe-key.ts'
import { findPlace, type InboundPlace } from './find-route.ts'
import { toContent } from './mail-content.ts'
import { queueMail } from './queue-mail.ts'

/** The maximum number of pending emails per environment. */
const maxPending = 1000
/** The maximum that an environment receives in a minute from all senders; each recipient counts. */
const perMinute = { mails: 300, bytes: 500 * 1024 * 1024 } as const

/** Decides which mail is accepted, and stores it. */
export interface MailIntake {
  /** Returns why a recipient is rejected; nothing if it is accepted. */
  onRecipient(address: string): Promise<MailRefusal | undefined>
  /** Stores an email with its queue items in one transaction. Returns why it is rejected. */
  onMail(mail: ReceivedMail): Promise<MailRefusal | undefined>
}

/**
 * Creates the mail intake: mail for webhooks is queued; mail for agents becomes a message of a conversation. An email
 * that a server resends because it missed the confirmation is accepted once.
 *
 * @param ports - Database, queue and clock.
 */
export function createMailIntake(ports: ConversationPorts): MailIntake {
  return {
    async onRecipient(address) {
      const place = await findPlace(ports.store.db, address)
      if (!place) return { code: 550, message: `5.1.1 The mailbox ${shorten(address)} does not exist here.` }
      const { environmentId } = place.domain
      if ((await countPending(ports.store.db, environmentId)) >= maxPending)
        return { code: 452, message: '4.3.1 Too many mails are waiting for their webhooks. Try again later.' }
      if (await hasMuch(ports, environmentId))
        return { code: 451, message: '4.7.1 Too many mails for this domain. Try again in a minute.' }
      return undefined
    },
    async onMail(mail) {
      const refusal = await ports.store.transaction((tx) => takeAll({ ...ports, tx }, mail))
      ports.feed.notify()
      return refusal
    },
  }
}

const shorten = (address: string): string => address.replaceAll(/[^\x21-\x7e]/g, '?').slice(0, 100)

async function countPending(db: Session, environmentId: string): Promise<number> {
  const { count } = await db
    .selectFrom(
      db
        .selectFrom('inboundMails')
        .select('id')
        .where('environmentId', '=', environmentId)
        .where('status', '=', 'pending')
        .limit(maxPending)
        .as('waiting'),
    )
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Whether the environment has reached its limit for the last minute. */
async function hasMuch({ store, clock }: ConversationPorts, environmentId: string): Promise<boolean> {
  const { mails, bytes } = await store.db
    .selectFrom(
      store.db
        .selectFrom('inboundMails')
        .select('sizeBytes')
        .where('environmentId', '=', environmentId)
        .where('createdAt', '>', clock.now() - 60_000)
        .limit(perMinute.mails)
        .as('recent'),
    )
    .select(({ fn }) => [fn.countAll<number>().as('mails'), fn.sum<number | null>('sizeBytes').as('bytes')])
    .executeTakeFirstOrThrow()
  return Number(mails) >= perMinute.mails || Number(bytes) >= perMinute.bytes
}

/** The transaction that stores an email. */
type Taking = ConversationPorts & { readonly tx: Session }

/**
 * An email is rejected only if all recipients reject it. An email that one recipient accepted must not be sent again
 * because of another.
 */
async function takeAll(taking: Taking, mail: ReceivedMail): Promise<MailRefusal | undefined> {
  const refusals: { readonly place: InboundPlace; readonly refusal: MailRefusal }[] = []
  const done = new Set<string>()
  for (const address of mail.recipients) {
    const place = await findPlace(taking.tx, address)
    if (!place || done.has(place.recipient)) continue
    done.add(place.recipient)
    const refusal = await take(taking, mail, place)
    if (refusal) refusals.push({ place, refusal })
  }
  const [first] = refusals
  if (done.size === 0) return { code: 550, message: '5.1.1 The mailbox was removed during the transfer.' }
  if (first && refusals.length === done.size) return first.refusal
  for (const { place, refusal } of refusals)
    await insert(taking, mail, { place, outcome: { status: 'ignored', reason: refusal.message } })
  return undefined
}

async function take(taking: Taking, mail: ReceivedMail, place: InboundPlace): Promise<MailRefusal | undefined> {
  if (place.route.type === 'webhook') {
    const id = await insert(taking, mail, { place, outcome: { status: 'pending' } })
    const { environmentId, webhookUrl: target } = place.route
    if (id !== undefined) await queueMail(taking.tx, taking.queue, { id, environmentId, target })
    return undefined
  }
  if (await isTaken(taking, mail, place)) return undefined
  const outcome = await receiveAgentMail(taking, { mail, place, nowMs: taking.clock.now() })
  if ('refusal' in outcome) return outcome.refusal
  await insert(taking, mail, { place, outcome })
  return undefined
}

async function isTaken({ tx }: Taking, mail: ReceivedMail, { recipient }: InboundPlace): Promise<boolean> {
  const row = await tx
    .selectFrom('inboundMails')
    .select('id')
    .where('dedupeKey', '=', toDedupeKey(mail.digest, recipient))
    .executeTakeFirst()
  return row !== undefined
}

interface Insertion {
  readonly place: InboundPlace
  readonly outcome: { readonly status: 'pending' } | Exclude<AgentMailOutcome, { readonly refusal: MailRefusal }>
}

/** Returns the row id; `undefined` if the email was already received. */
async function insert(
  { tx, clock }: Taking,
  mail: ReceivedMail,
  { place, outcome }: Insertion,
): Promise<string | undefined> {
  const nowMs = clock.now()
  const { route, domain, recipient } = place
  const row: InboundMailRow = {
    ...{ id: createId(nowMs), environmentId: route.environmentId, dedupeKey: toDedupeKey(mail.digest, recipient) },
    ...{ domain: domain.name, recipient, sender: mail.from.address, subject: mail.subject.slice(0, 998) },
    ...{ messageId: mail.messageId ?? null, sizeBytes: mail.sizeBytes, verdict: mail.authentication.verdict },
    ...{ type: route.type, target: route.type === 'agent' ? route.agentId : route.webhookUrl },
    ...{ status: outcome.status, reason: 'reason' in outcome ? outcome.reason : null },
    ...{ conversationId: 'conversationId' in outcome ? outcome.conversationId : null, attempts: 0 },
    content: JSON.stringify(toContent(mail, place, nowMs)),
    ...{ createdAt: nowMs, settledAt: outcome.status === 'pending' ? null : nowMs },
  }
  const inserted = await tx
    .insertInto('inboundMails')
    .values(row)
    .onConflict((conflict) => conflict.column('dedupeKey').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id
}

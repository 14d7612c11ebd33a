import type { Content, DeliveryNote } from '../engine/port/channel-port.ts'
import { recordInboxChange } from '../messages/record-inbox-change.ts'
import type { Vault } from '../secrets/vault.ts'
import { createId } from '../store/create-id.ts'
import type { MessageRow } from '../store/schema/message.ts'
import { insertUnlessKnown } from '../store/shared/row-list.ts'
import { createSharedStatement } from '../store/shared/shared-statement.ts'
import type { Session } from '../store/store.ts'
import type { Delivery, Draft } from './base/delivery.ts'
import { toStorable } from './base/storable.ts'
import { draftFirst } from './draft-first.ts'
import { toRow } from './message-row.ts'
import { type Destination, findDestinations } from './provider/destinations.ts'
import { ownProviderOf } from './provider/providers.ts'

/** The result of storing a step's messages. */
export interface StoredMessages {
  /** The rows, including those stored by an earlier attempt. Send those with the status `pending`. */
  readonly messages: readonly MessageRow[]
  /** Entries for the run's history, in order; none for rows that already existed. */
  readonly notes: readonly DeliveryNote[]
  /** The rows that this call has stored. */
  readonly added: readonly MessageRow[]
}

/** A message that is not stored yet. */
export interface CreatedMessage {
  /** The delivery, with the outputs of its content. */
  readonly delivery: Delivery
  readonly content: Pick<Content, 'missing' | 'problem'>
}

/**
 * Stores the messages of a step, one per delivering integration. Messages stored by an earlier attempt are kept.
 *
 * @param tx - The transaction in which the step ends.
 * @param vault - Decrypts credentials, and encrypts pending messages.
 */
export async function storeMessages(tx: Session, created: CreatedMessage, vault: Vault): Promise<StoredMessages> {
  const { delivery } = created
  const isInApp = delivery.job.type === 'in_app'
  const destinations = isInApp ? [inApp] : await findDestinations(tx, delivery, vault)
  const messages: MessageRow[] = []
  const notes: DeliveryNote[] = []
  const added: MessageRow[] = []
  for (const destination of destinations) {
    const stored = await storeMessage(tx, created, { destination, vault })
    messages.push(stored.message)
    notes.push(...stored.notes)
    if (stored.isNew) added.push(stored.message)
  }
  return { messages, notes, added }
}

const inApp: Destination = { providerId: ownProviderOf('in_app'), sender: 'none', credentials: {}, deviceTokens: [] }

interface StoredMessage {
  readonly message: MessageRow
  readonly notes: readonly DeliveryNote[]
  readonly isNew: boolean
}

async function storeMessage(
  tx: Session,
  { delivery, content: { missing, problem } }: CreatedMessage,
  { destination: given, vault }: { readonly destination: Destination; readonly vault: Vault },
): Promise<StoredMessage> {
  const id = createId(delivery.nowMs)
  const { destination, drafted, fallbacks, skipped } = await draftFirst(tx, given, { delivery, messageId: id })
  const draft: Draft = problem ? { ...drafted, problem } : drafted
  const row = toRow(draft, { id, delivery, destination, fallbacks, vault })
  if (!(await insertMessage(tx, row))) {
    const message = await tx
      .selectFrom('messages')
      .selectAll()
      .where('dedupeKey', '=', row.dedupeKey)
      .executeTakeFirstOrThrow()
    return { message, notes: [], isNew: false }
  }
  if (row.channel === 'in_app' && !draft.problem)
    await recordInboxChange(tx, row, { kind: 'received', ids: [row.id], nowMs: row.createdAt })
  const goesToOutbox = destination.sender === 'none' && draft.outgoing !== undefined && !draft.problem
  if (goesToOutbox) await storeInOutbox(tx, row, draft)
  const keys = missing.map((key) => `No locale has a translation of "${key}", so the message contains the placeholder.`)
  const notes = toNotes(draft, { row, destination, goesToOutbox, warnings: [...keys, ...skipped] })
  return { message: row, notes: notes.map((note) => ({ ...note, detail: toStorable(note.detail) })), isNew: true }
}

/** Returns whether a message was inserted; an earlier attempt may have stored it. */
const insertMessage = createSharedStatement<MessageRow, boolean>({
  async run(tx, rows) {
    const inserted = new Set(await insertUnlessKnown(tx, { table: 'messages', key: 'dedupeKey' }, rows))
    return rows.map(({ id }) => inserted.has(id))
  },
})

async function storeInOutbox(tx: Session, row: MessageRow, { recipient, outgoing }: Draft): Promise<void> {
  const content = outgoing?.kind === 'mail' ? outgoing.mail : outgoing?.body
  await tx
    .insertInto('outbox')
    .values({
      id: createId(row.createdAt),
      environmentId: row.environmentId,
      messageId: row.id,
      runId: row.runId,
      channel: row.channel,
      recipient: toStorable(recipient),
      content: JSON.stringify(content ?? {}),
      readAt: null,
      createdAt: row.createdAt,
    })
    .execute()
}

interface NoteInput {
  readonly row: MessageRow
  readonly destination: Destination
  readonly goesToOutbox: boolean
  readonly warnings: readonly string[]
}

function toNotes(draft: Draft, { row, destination, goesToOutbox, warnings }: NoteInput): readonly DeliveryNote[] {
  const about = { messageId: row.id, providerId: destination.providerId, source: 'Internal' } as const
  const details: DeliveryNote[] = [...warnings, ...draft.warnings].map((detail) => ({
    ...about,
    detail,
    status: 'Warning',
  }))
  const { problem } = draft
  if (problem) {
    const source = problem.status === 'warning' ? 'Payload' : 'Credentials'
    return [...details, { ...about, source, status: 'Failed', detail: problem.message, raw: { code: problem.code } }]
  }
  details.push({ ...about, status: 'Pending', detail: 'Message created' })
  if (row.status === 'pending') return details
  if (!goesToOutbox) return [...details, { ...about, status: 'Success', detail: 'Message sent' }]
  if (destination.integrationId !== undefined) {
    const detail = `The service does not support the provider "${destination.providerId}", so its messages are kept in the outbox`
    details.push({ ...about, status: 'Warning', detail })
  }
  return [...details, { ...about, status: 'Success', detail: 'Message kept in the outbox' }]
}

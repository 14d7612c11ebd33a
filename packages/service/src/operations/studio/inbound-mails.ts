import type { JsonObject } from '@trestle/protocol'
import { sql } from 'kysely'
import { z } from 'zod'
import { ApiError, notFound } from '../../api/api-error.ts'
import { cursorFields, readCursorPage } from '../../api/cursor-page.ts'
import { queryText } from '../../api/input.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { queueMail } from '../../inbound-mail/queue-mail.ts'
import { compact } from '../../json/json.ts'
import { cursorPageOf } from '../../resources/page.ts'
import { inboundMail } from '../../resources/studio/inbound-mail.ts'
import type { InboundMailRow } from '../../store/schema/domain.ts'
import type { Session } from '../../store/store.ts'
import { toDomainName } from '../domains/domain-fields.ts'

const statuses = ['pending', 'delivered', 'failed', 'ignored'] as const
const common = { category: 'global', wrapped: true, output: inboundMail } as const
const path = '/v1/studio/inbound-mails'

/** An email can be several megabytes, so lists omit the content. */
type ListedMail = Omit<InboundMailRow, 'content' | 'dedupeKey'>

/** Operations on emails received for inbound domains. */
export const inboundMailOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'studio.inboundMailList',
    access: 'view',
    method: 'GET',
    path,
    summary: 'Lists mail received for domains, newest first',
    wrapped: false,
    query: z.strictObject({
      ...cursorFields(['createdAt']),
      domain: queryText(),
      status: z.enum(statuses, `must be one of ${statuses.join(', ')}`).optional(),
    }),
    output: cursorPageOf(inboundMail),
    async handler({ store, environment }, { query }) {
      const where = [sql`"environmentId" = ${environment.id}`]
      if (query.domain !== undefined) where.push(sql`"domain" = ${toDomainName(query.domain)}`)
      if (query.status !== undefined) where.push(sql`"status" = ${query.status}`)
      const columns = ['id', 'domain', 'recipient', 'sender', 'subject', 'messageId', 'sizeBytes', 'verdict', 'type']
      const more = ['target', 'status', 'reason', 'conversationId', 'attempts', 'createdAt', 'settledAt']
      const source = {
        from: sql`"inboundMails"`,
        select: sql.join([...columns, ...more].map((column) => sql.ref(column))),
        where,
        id: sql`"id"`,
        order: { createdAt: sql`"createdAt"` },
      }
      const page = await readCursorPage<ListedMail>(store.db, source, { ...query, orderBy: 'createdAt' })
      return { ...page, data: page.data.map(toListed) }
    },
  }),
  operation({
    ...common,
    name: 'studio.inboundMailGet',
    access: 'view',
    method: 'GET',
    path: `${path}/{mailId}`,
    summary: 'Returns an email as its webhook receives it, without the content of its files',
    async handler({ store, environment }, { params }) {
      const row = await find(store.db, environment.id, String(params['mailId']))
      return { ...toListed(row), content: leaveOutFiles(JSON.parse(row.content) as StoredContent) }
    },
  }),
  operation({
    ...common,
    name: 'studio.inboundMailDeliver',
    access: 'edit',
    method: 'POST',
    path: `${path}/{mailId}/deliver`,
    summary: 'Redelivers an email that its webhook has not accepted',
    handler: (context, { params }) => deliverAgain(context, String(params['mailId'])),
  }),
])

function deliverAgain({ store, environment, conversations }: CallContext, mailId: string): Promise<JsonObject> {
  return store.transaction(async (tx) => {
    const { status } = await find(tx, environment.id, mailId)
    const row = await tx
      .updateTable('inboundMails')
      .set({ status: 'pending', reason: null, attempts: 0, settledAt: null })
      .where('id', '=', mailId)
      .where('status', '=', 'failed')
      .returningAll()
      .executeTakeFirst()
    if (!row) throw new ApiError(409, `The mail is ${status}. Only failed mail can be redelivered.`)
    await queueMail(tx, conversations.queue, row)
    return toListed(row)
  })
}

async function find(db: Session, environmentId: string, id: string): Promise<InboundMailRow> {
  const row = await db
    .selectFrom('inboundMails')
    .selectAll()
    .where('id', '=', id)
    .where('environmentId', '=', environmentId)
    .executeTakeFirst()
  if (!row) throw notFound('Mail', id)
  return row
}

function toListed(row: ListedMail): JsonObject {
  const { id, domain, recipient, sender, subject, verdict, status, createdAt, settledAt } = row
  return compact({
    ...{ _id: id, domain, recipient, sender, subject, verdict, status },
    ...{ messageId: row.messageId ?? undefined, sizeBytes: Number(row.sizeBytes), attempts: Number(row.attempts) },
    ...{ type: row.type ?? undefined, target: row.target ?? undefined, reason: row.reason ?? undefined },
    conversationId: row.conversationId ?? undefined,
    createdAt: new Date(Number(createdAt)).toISOString(),
    settledAt: settledAt === null ? undefined : new Date(Number(settledAt)).toISOString(),
  })
}

interface StoredContent extends JsonObject {
  readonly mail: JsonObject & { readonly attachments: readonly JsonObject[] }
}

function leaveOutFiles({ mail, ...rest }: StoredContent): JsonObject {
  const attachments = mail.attachments.map(({ content: _, ...attachment }) => attachment as JsonObject)
  return { ...rest, mail: { ...mail, attachments } } as JsonObject
}

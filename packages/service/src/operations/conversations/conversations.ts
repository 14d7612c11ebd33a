import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { ApiError, notFound } from '../../api/api-error.ts'
import { cursorFields, readCursorPage } from '../../api/cursor-page.ts'
import { filledText, queryText } from '../../api/input.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import { createConversation } from '../../conversations/base/create-conversation.ts'
import { cursorPageOf } from '../../resources/page.ts'
import { agentLine, conversation, conversationLine, fileContent } from '../../resources/studio/conversations.ts'
import type { ConversationRow } from '../../store/schema/agent.ts'
import { findSubscriber } from '../subscribers/find-subscriber.ts'
import { toConversation } from './conversation-view.ts'
import { findConversation, showConversation } from './show-conversation.ts'

const common = { category: 'global', wrapped: true } as const
const path = '/v1/studio/conversations'
const statuses = ['open', 'resolved'] as const

/** Operations that show agents and their conversations, and start conversations. */
export const conversationOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'studio.agentList',
    access: 'view',
    method: 'GET',
    path: '/v1/studio/agents',
    summary: 'Lists the agents of the bridge, in its order, with the number of conversations of each',
    output: z.array(agentLine),
    async handler({ store, environment }) {
      const { rows } = await sql<{ readonly agentId: string; readonly conversations: number }>`
        select "identifier" as "agentId", coalesce("count", 0) as "conversations" from "agents" left join (
          select "agentId", count(*) as "count" from "conversations" where "environmentId" = ${environment.id}
          group by "agentId") as "counted" on "counted"."agentId" = "identifier"
        where "environmentId" = ${environment.id} order by "position"`.execute(store.db)
      return rows.map(({ agentId, conversations }) => ({ agentId, conversations: Number(conversations) }))
    },
  }),
  operation({
    ...common,
    name: 'studio.conversationList',
    access: 'view',
    method: 'GET',
    path,
    summary: 'Lists conversations with agents, most recent activity first',
    wrapped: false,
    query: z.strictObject({
      ...cursorFields(['lastActivityAt', 'createdAt']),
      agentId: queryText(),
      subscriberId: queryText(),
      status: z.enum(statuses, `must be one of ${statuses.join(', ')}`).optional(),
    }),
    output: cursorPageOf(conversationLine),
    async handler({ store, environment }, { query }) {
      const source = {
        from: sql`"conversations"`,
        select: sql`*`,
        where: [sql`"environmentId" = ${environment.id}`, ...toConditions(query)],
        id: sql`"id"`,
        order: { lastActivityAt: sql`"lastActivityAt"`, createdAt: sql`"createdAt"` },
      }
      const sorted = { ...query, orderBy: query.orderBy ?? 'lastActivityAt' }
      const page = await readCursorPage<ConversationRow>(store.db, source, sorted)
      return { ...page, data: page.data.map(toConversation) }
    },
  }),
  operation({
    ...common,
    name: 'studio.conversationCreate',
    access: 'edit',
    method: 'POST',
    path,
    summary: 'Starts a conversation with an agent',
    status: 201,
    body: z.strictObject({ agentId: filledText(), subscriberId: filledText().optional() }),
    output: conversationLine,
    handler: (context, { body: { agentId, subscriberId } }) =>
      context.store.transaction(async (tx) => {
        const { environment, clock, conversationFeed } = context
        const agent = await tx
          .selectFrom('agents')
          .select('id')
          .where('environmentId', '=', environment.id)
          .where('identifier', '=', agentId)
          .executeTakeFirst()
        if (!agent) throw notFound('Agent', agentId)
        if (subscriberId !== undefined) await findSubscriber(tx, { environment }, subscriberId)
        const begun = { environmentId: environment.id, agentId, subscriberId, platform: 'web' } as const
        const row = await createConversation(tx, begun, clock.now())
        if (!row) throw new ApiError(409, 'The conversation already exists.')
        context.store.afterCommit(tx, conversationFeed.notify)
        return toConversation(row)
      }),
  }),
  operation({
    ...common,
    name: 'studio.conversationGet',
    access: 'view',
    method: 'GET',
    path: `${path}/{conversationId}`,
    summary: 'Returns a conversation with its messages, questions and deliveries',
    output: conversation,
    handler: async (context, { params }) =>
      showConversation(context, await findConversation(context, params['conversationId'])),
  }),
  operation({
    ...common,
    name: 'studio.conversationFile',
    access: 'view',
    method: 'GET',
    path: `${path}/{conversationId}/messages/{messageId}/files/{index}`,
    summary: 'Returns a file of a message, with its content in Base64',
    output: fileContent,
    async handler(context, { params }) {
      const { messageId = '', index = '' } = params
      const { id } = await findConversation(context, params['conversationId'])
      const message = await context.store.db
        .selectFrom('conversationMessages')
        .select('files')
        .where('id', '=', messageId)
        .where('conversationId', '=', id)
        .executeTakeFirst()
      if (!message) throw notFound('Message', messageId)
      const files = JSON.parse(message.files) as readonly object[]
      const file = /^\d{1,3}$/.test(index) ? files[Number(index)] : undefined
      if (!file) throw notFound('File', index)
      return file
    },
  }),
])

interface ConversationQuery {
  readonly agentId?: string | undefined
  readonly subscriberId?: string | undefined
  readonly status?: string | undefined
}

function toConditions({ agentId, subscriberId, status }: ConversationQuery): RawBuilder<unknown>[] {
  const conditions = [
    agentId === undefined ? undefined : sql`"agentId" = ${agentId}`,
    subscriberId === undefined ? undefined : sql`"subscriberId" = ${subscriberId}`,
    status === undefined ? undefined : sql`"status" = ${status}`,
  ]
  return conditions.filter((condition) => condition !== undefined)
}

import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { cursorFields, readCursorPage } from '../../api/cursor-page.ts'
import { queryText } from '../../api/input.ts'
import { queryTime } from '../../api/query-fields.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { cursorPageOf } from '../../resources/page.ts'
import { auditEntry } from '../../resources/studio/people.ts'
import type { AuditRow } from '../../store/schema/account.ts'

/** Actions of people outside of operations, which have no row in the table. */
const otherSummaries: Readonly<Record<string, string>> = {
  'accounts.signIn': 'Signed in with a password',
  'accounts.signInWithProvider': 'Signed in through the OpenID provider',
  'accounts.createFirstAdmin': 'Created the first admin',
  'accounts.acceptInvitation': 'Accepted an invitation',
  'accounts.resetPassword': 'Set a new password through a link',
}

const scopes = ['environment', 'accounts'] as const
const outcomes = ['started', 'done', 'refused', 'failed'] as const

/**
 * Returns the operation that reads the audit log.
 *
 * @param summaryOf - Returns the summary of an operation by its name.
 */
export function auditOperationsOf(summaryOf: (name: string) => string | undefined): readonly AnyOperation[] {
  return [
    operation({
      category: 'global',
      wrapped: false,
      name: 'studio.auditList',
      access: 'administer',
      method: 'GET',
      path: '/v1/studio/audit',
      summary:
        'Lists changes and who made them, newest first. Account changes are only listed for admins of all environments',
      query: z.strictObject({
        ...cursorFields(['createdAt']),
        actor: queryText(320),
        operation: queryText(100),
        subject: queryText(500),
        scope: z.enum(scopes, `must be one of ${scopes.join(', ')}`).optional(),
        outcome: z.enum(outcomes, `must be one of ${outcomes.join(', ')}`).optional(),
        createdAfter: queryTime(),
        createdBefore: queryTime(),
      }),
      output: cursorPageOf(auditEntry),
      async handler(context, { query }) {
        const source = {
          from: sql`"auditEntries"`,
          select: sql`*`,
          where: [scopeOf(context, query.scope), ...toConditions(query)],
          id: sql`"id"`,
          order: { createdAt: sql`"createdAt"` },
        }
        const page = await readCursorPage<AuditRow>(context.store.reads, source, { ...query, orderBy: 'createdAt' })
        const show = (row: AuditRow) => toEntry(row, summaryOf(row.operation) ?? otherSummaries[row.operation])
        return { ...page, data: page.data.map(show) }
      },
    }),
  ]
}

function scopeOf({ environment, person }: CallContext, scope: string | undefined): RawBuilder<unknown> {
  const own = sql`"scope" = ${environment.id}`
  if (!person?.managesPeople) return scope === 'accounts' ? sql`1 = 0` : own
  if (scope === undefined) return sql`(${own} or "scope" is null)`
  return scope === 'accounts' ? sql`"scope" is null` : own
}

interface AuditFilters {
  readonly actor?: string | undefined
  readonly operation?: string | undefined
  readonly subject?: string | undefined
  readonly outcome?: string | undefined
  readonly createdAfter?: number | undefined
  readonly createdBefore?: number | undefined
}

function toConditions(filters: AuditFilters): readonly RawBuilder<unknown>[] {
  const { actor, operation: name, subject, outcome, createdAfter, createdBefore } = filters
  return [
    actor === undefined ? [] : sql`(lower("actorName") = ${actor.toLowerCase()} or "actorId" = ${actor})`,
    name === undefined ? [] : sql`"operation" = ${name}`,
    subject === undefined ? [] : sql`"subject" = ${subject}`,
    outcome === undefined ? [] : sql`"outcome" = ${outcome}`,
    createdAfter === undefined ? [] : sql`"createdAt" >= ${createdAfter}`,
    createdBefore === undefined ? [] : sql`"createdAt" <= ${createdBefore}`,
  ].flat()
}

function toEntry(row: AuditRow, summary: string | undefined): unknown {
  const { id, scope, scopeName, actorType, actorId, actorName, address, createdAt, ...rest } = row
  return {
    ...{ id, at: new Date(createdAt).toISOString() },
    actor: { type: actorType, id: actorId, name: actorName, address },
    environment: scope === null ? null : { id: scope, name: scopeName },
    ...{ operation: rest.operation, summary: summary ?? rest.operation },
    ...{ subject: rest.subject, outcome: rest.outcome, requestId: rest.requestId },
  }
}

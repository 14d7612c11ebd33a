import { z } from 'zod'
import type { Accounts } from '../../accounts/accounts.ts'
import type { Person } from '../../accounts/base/access.ts'
import { checkPassword } from '../../accounts/sign-in/password-rules.ts'
import { endSessions } from '../../accounts/sign-in/sessions.ts'
import { ApiError, invalid } from '../../api/api-error.ts'
import { text } from '../../api/input.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { accountSession } from '../../resources/studio/people.ts'

const common = { category: 'global', wrapped: true, access: 'self' } as const
const path = '/v1/studio/account'

/** Operations on the caller's own account. */
export const ownAccountOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'studio.sessionList',
    method: 'GET',
    path: `${path}/sessions`,
    summary: 'Lists the sessions of the calling account, last used first',
    output: z.array(accountSession),
    async handler(context) {
      const { person, accounts } = callerOf(context)
      const { accountId, sessionId } = person
      const nowMs = context.clock.now()
      const rows = await context.store.db
        .selectFrom('accountSessions')
        .selectAll()
        .where('accountId', '=', accountId)
        .where('expiresAt', '>', nowMs)
        .where('usedAt', '>', nowMs - accounts.settings.idleMs)
        .orderBy('usedAt', 'desc')
        .execute()
      const toTime = (ms: number): string => new Date(ms).toISOString()
      return rows.map(({ id, address, userAgent, createdAt, usedAt, expiresAt }) => ({
        ...{ id, isCurrent: id === sessionId, address, userAgent },
        ...{ createdAt: toTime(createdAt), usedAt: toTime(usedAt), expiresAt: toTime(expiresAt) },
      }))
    },
  }),
  operation({
    ...common,
    name: 'studio.sessionEnd',
    method: 'DELETE',
    path: `${path}/sessions/{sessionId}`,
    summary: 'Ends one session of the calling account',
    status: 204,
    async handler(context, { params }) {
      const { person } = callerOf(context)
      const { numDeletedRows } = await context.store.db
        .deleteFrom('accountSessions')
        .where('id', '=', String(params['sessionId']))
        .where('accountId', '=', person.accountId)
        .executeTakeFirstOrThrow()
      if (numDeletedRows === 0n) throw new ApiError(404, 'This session has already ended.')
      context.revocations.check()
    },
  }),
  operation({
    ...common,
    name: 'studio.sessionEndOthers',
    method: 'DELETE',
    path: `${path}/sessions`,
    summary: 'Ends all sessions of the calling account except the current one',
    status: 204,
    async handler(context) {
      const { accountId, sessionId } = callerOf(context).person
      await context.store.db
        .deleteFrom('accountSessions')
        .where('accountId', '=', accountId)
        .where('id', '<>', sessionId)
        .execute()
      context.revocations.check()
    },
  }),
  operation({
    ...common,
    name: 'studio.passwordChange',
    method: 'POST',
    path: `${path}/password`,
    summary: 'Changes the password of the calling account, and ends all its sessions',
    status: 204,
    body: z.strictObject({ current: text(1000), password: text(1000) }),
    async handler(context, { body }) {
      const { person, accounts } = callerOf(context)
      const { accountId, email } = person
      await accounts.attempts.take({ kind: 'account', name: `password of ${accountId}` })
      const { passwordHash } = await context.store.db
        .selectFrom('accounts')
        .select('passwordHash')
        .where('id', '=', accountId)
        .executeTakeFirstOrThrow()
      if (passwordHash === null)
        throw new ApiError(409, 'Your account has no password. An admin can send you a link to set one.')
      if (!(await accounts.passwords.verify(passwordHash, body.current)))
        throw invalid('current', 'is not your current password')
      checkPassword(body.password, email)
      const hash = await accounts.passwords.hash(body.password)
      await context.store.transaction(async (tx) => {
        const changes = { passwordHash: hash, updatedAt: context.clock.now() }
        await tx.updateTable('accounts').set(changes).where('id', '=', accountId).execute()
        await tx.deleteFrom('accountLinks').where('accountId', '=', accountId).execute()
        await endSessions(tx, accountId)
      })
      context.revocations.check()
    },
  }),
])

/** Operations with the access `self` can only be called by people. */
function callerOf({ person, accounts }: CallContext): { readonly person: Person; readonly accounts: Accounts } {
  if (person && accounts) return { person, accounts }
  throw new Error('The operation was called without a person.')
}

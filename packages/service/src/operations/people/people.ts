import { sql } from 'kysely'
import { z } from 'zod'
import { isEmail, toEmail } from '../../accounts/base/email.ts'
import { createLink } from '../../accounts/links.ts'
import { changePerson, findAccount, invite, removePerson } from '../../accounts/people.ts'
import { ApiError } from '../../api/api-error.ts'
import { cursorFields, readCursorPage } from '../../api/cursor-page.ts'
import { filledText, queryText, text } from '../../api/input.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { cursorPageOf } from '../../resources/page.ts'
import { person, personLink } from '../../resources/studio/people.ts'
import { holdsAnyCase } from '../../store/holds.ts'
import type { AccountRow } from '../../store/schema/account.ts'
import type { Session } from '../../store/store.ts'
import { showPeople, showPerson } from './person-view.ts'

const role = z.enum(['none', 'viewer', 'editor', 'admin'], 'must be none, viewer, editor or admin')
const roles = z.array(z.strictObject({ environmentId: filledText(100), role })).max(100, 'must have at most 100 items')
const nameField = text(100)
const common = { category: 'global', wrapped: true, access: 'people' } as const
const path = '/v1/studio/people'

/** Operations on accounts. Only admins of all environments may call them. */
export const peopleOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'studio.personList',
    method: 'GET',
    path,
    wrapped: false,
    summary: 'Lists the people who may use the studio',
    query: z.strictObject({
      ...cursorFields(['createdAt', 'email']),
      search: queryText(320).describe('Part of the name or email address.'),
    }),
    output: cursorPageOf(person),
    async handler({ store }, { query }) {
      const { search } = query
      const source = {
        from: sql`"accounts"`,
        select: sql`*`,
        where: search === undefined ? [] : [holdsAnyCase(sql`("name" || ' ' || "email")`, search)],
        id: sql`"id"`,
        order: { createdAt: sql`"createdAt"`, email: sql`"email"` },
      }
      const page = await readCursorPage<AccountRow>(store.db, source, query)
      return { ...page, data: await showPeople(store.db, page.data) }
    },
  }),
  operation({
    ...common,
    name: 'studio.personInvite',
    method: 'POST',
    path,
    summary: 'Invites a person with a one-time link, which is shown once',
    status: 201,
    body: z.strictObject({
      email: text(320).transform(toEmail).refine(isEmail, 'must be an email address'),
      name: nameField.optional(),
      role,
      roles: roles.optional(),
    }),
    output: personLink,
    async handler(context, { body }) {
      const { store, clock } = context
      const invitation = { ...body, name: body.name ?? '', roles: body.roles ?? [] }
      return store.transaction(async (tx) => addLink(tx, context, await invite(tx, invitation, clock.now())))
    },
  }),
  operation({
    ...common,
    name: 'studio.personUpdate',
    method: 'PATCH',
    path: `${path}/{personId}`,
    summary: 'Changes the name or roles of a person, or disables or enables their account',
    body: z.strictObject({
      name: nameField.optional(),
      role: role.optional(),
      roles: roles.optional(),
      disabled: z.boolean('must be true or false').optional(),
    }),
    output: person,
    async handler(context, { params, body }) {
      const id = otherThanSelf(context, params)
      const { store, clock } = context
      const updatedPerson = await store.transaction(async (tx) => {
        await changePerson(tx, id, { changes: body, nowMs: clock.now() })
        return showPerson(tx, await findAccount(tx, id))
      })
      context.revocations.check()
      return updatedPerson
    },
  }),
  operation({
    ...common,
    name: 'studio.personLink',
    method: 'POST',
    path: `${path}/{personId}/link`,
    summary: 'Creates a one-time link: a new invitation, or one to set a new password. It replaces earlier ones',
    status: 201,
    output: personLink,
    handler: (context, { params }) =>
      context.store.transaction(async (tx) => {
        const row = await findAccount(tx, String(params['personId']))
        if (row.status === 'disabled') throw new ApiError(409, `The account ${row.email} is disabled. Enable it first.`)
        return addLink(tx, context, row)
      }),
  }),
  operation({
    ...common,
    name: 'studio.personDelete',
    method: 'DELETE',
    path: `${path}/{personId}`,
    summary: 'Deletes an account. Its entries stay in the audit log',
    status: 204,
    async handler(context, { params }) {
      const id = otherThanSelf(context, params)
      await context.store.transaction((tx) => removePerson(tx, id))
      context.revocations.check()
    },
  }),
])

/** Otherwise an admin could revoke their own permissions by mistake. */
function otherThanSelf({ person: caller }: CallContext, params: Readonly<Record<string, string>>): string {
  const id = String(params['personId'])
  if (id !== caller?.accountId) return id
  throw new ApiError(409, 'This is your own account. Another admin must change or delete it.')
}

async function addLink(tx: Session, { clock, accounts, address }: CallContext, row: AccountRow): Promise<unknown> {
  const { token, purpose, expiresAt } = await createLink(tx, row, clock.now())
  return {
    person: await showPerson(tx, row),
    url: `${accounts?.url() ?? address.read()}/studio/welcome#link=${token}`,
    ...{ purpose, expiresAt: new Date(expiresAt).toISOString() },
  }
}

import { sql } from 'kysely'
import { z } from 'zod'
import { ApiError, refuseTaken } from '../../api/api-error.ts'
import { cursorFields, readCursorPage } from '../../api/cursor-page.ts'
import { queryText, webAddress } from '../../api/input.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { domain, domainAutoConfigure, domainDiagnosis } from '../../resources/domain.ts'
import { cursorPageOf } from '../../resources/page.ts'
import type { DomainRow } from '../../store/schema/domain.ts'
import { type CheckedRecords, checkRecords, type RecordPorts } from './check-records.ts'
import { diagnoseDomain } from './diagnose-domain.ts'
import { dataField, domainName, toDomainName } from './domain-fields.ts'
import { addDomain, findDomain, toDomain, toExpectedRecords } from './domain-row.ts'

const common = { category: 'global', wrapped: true, output: domain } as const
const path = '/v1/domains'
const order = { _id: 'id', id: 'id', createdAt: 'createdAt', updatedAt: 'updatedAt', name: 'name' } as const
const noProvider =
  'This service cannot change records at DNS providers. Add the records manually, then verify the domain.'

/** The operations on inbound mail domains. */
export const domainOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'domains.list',
    access: 'view',
    method: 'GET',
    path,
    summary: 'Lists the domains that receive mail.',
    wrapped: false,
    query: z.strictObject({ ...cursorFields(Object.keys(order)), name: queryText() }),
    output: cursorPageOf(domain),
    async handler(context, { query }) {
      const where = [sql`"environmentId" = ${context.environment.id}`]
      if (query.name !== undefined) where.push(sql`"name" = ${toDomainName(query.name)}`)
      const columns = Object.fromEntries(Object.entries(order).map(([field, column]) => [field, sql.ref(column)]))
      const source = { from: sql`"domains"`, select: sql`*`, where, id: sql`"id"`, order: columns }
      const page = await readCursorPage<DomainRow>(context.store.db, source, query)
      return { ...page, data: page.data.map((row) => toDomain(row, context)) }
    },
  }),
  operation({
    ...common,
    name: 'domains.create',
    access: 'administer',
    method: 'POST',
    path,
    summary: 'Adds a domain. It receives mail after its records are verified.',
    status: 201,
    body: z.strictObject({ name: domainName, data: dataField.optional() }),
    handler: async (context, { body }) =>
      toDomain(await context.store.serializable((tx) => addDomain(tx, context, body)), context),
  }),
  operation({
    ...common,
    name: 'domains.get',
    access: 'view',
    method: 'GET',
    path: `${path}/{domain}`,
    summary: 'Returns a domain with the records it needs.',
    handler: async (context, { params }) => toDomain(await find(context, params), context),
  }),
  operation({
    ...common,
    name: 'domains.update',
    access: 'administer',
    method: 'PATCH',
    path: `${path}/{domain}`,
    summary: 'Replaces the data of a domain.',
    body: z.strictObject({ data: dataField.optional() }),
    async handler(context, { params, body }) {
      const { id } = await find(context, params)
      const data = body.data === undefined ? {} : { data: JSON.stringify(body.data) }
      return toDomain(await change(context, id, data), context)
    },
  }),
  operation({
    ...common,
    name: 'domains.delete',
    access: 'administer',
    method: 'DELETE',
    path: `${path}/{domain}`,
    summary: 'Deletes a domain with its routes. Its mail is rejected from then on.',
    wrapped: false,
    status: 204,
    handler: (context, { params }) =>
      context.store.transaction(async (tx) => {
        const { id } = await findDomain(tx, context, String(params['domain']))
        await tx.deleteFrom('domainRoutes').where('domainId', '=', id).execute()
        await tx.deleteFrom('domains').where('id', '=', id).execute()
      }),
  }),
  operation({
    ...common,
    name: 'domains.verify',
    access: 'administer',
    method: 'POST',
    path: `${path}/{domain}/verify`,
    summary: 'Looks up the records of a domain and saves the result.',
    async handler(context, { params }) {
      const row = await find(context, params)
      return toDomain(await verify(context, row, await checkRecords(row, toPorts(context))), context)
    },
  }),
  operation({
    ...common,
    name: 'domains.diagnose',
    access: 'view',
    method: 'POST',
    path: `${path}/{domain}/diagnose`,
    summary: 'Diagnoses why mail for a domain may not arrive.',
    output: domainDiagnosis,
    handler: async (context, { params }) =>
      diagnoseDomain(await find(context, params), { ...toPorts(context), now: context.clock.now }),
  }),
  operation({
    ...common,
    name: 'domains.getAutoConfigure',
    access: 'view',
    method: 'GET',
    path: `${path}/{domain}/auto-configure`,
    summary: 'Returns the records to add manually.',
    output: domainAutoConfigure,
    async handler(context, { params }) {
      const manualRecords = toExpectedRecords(await find(context, params), context.settings.inboundMail?.hostName)
      return { available: false, reason: noProvider, reasonCode: 'disabled', manualRecords }
    },
  }),
  operation({
    ...common,
    name: 'domains.startAutoConfigure',
    access: 'administer',
    method: 'POST',
    path: `${path}/{domain}/auto-configure/start`,
    summary: 'Always fails: records must be added manually.',
    status: 201,
    body: z.strictObject({ redirectUri: webAddress().optional() }),
    async handler(context, { params }) {
      await find(context, params)
      throw new ApiError(409, noProvider)
    },
  }),
])

const find = (context: CallContext, params: Readonly<Record<string, string>>): Promise<DomainRow> =>
  findDomain(context.store.db, context, String(params['domain']))

function toPorts({ settings, findRecords, signal }: CallContext): RecordPorts {
  const mailHost = settings.inboundMail?.hostName
  if (mailHost === undefined)
    throw new ApiError(
      409,
      'Inbound mail is disabled. Set the option inboundMail, or SERVICE_INBOUND_MAIL_HOST, to the name of the mail server.',
    )
  return { mailHost, findRecords, signal }
}

async function verify(context: CallContext, row: DomainRow, records: CheckedRecords): Promise<DomainRow> {
  const status = records.isProved ? 'verified' : 'pending'
  return change(context, row.id, { status, isMxConfigured: records.isMxConfigured ? 1 : 0 }).catch(
    refuseTaken(`${row.name} is already verified in another environment. Delete it there, then verify it here.`),
  )
}

async function change(
  { store, environment, clock }: CallContext,
  id: string,
  fields: Partial<Pick<DomainRow, 'status' | 'isMxConfigured' | 'data'>>,
): Promise<DomainRow> {
  const row = await store.db
    .updateTable('domains')
    .set({ ...fields, updatedAt: clock.now() })
    .where('id', '=', id)
    .where('environmentId', '=', environment.id)
    .returningAll()
    .executeTakeFirst()
  if (!row) throw new ApiError(404, 'The domain was deleted during the check.')
  return row
}

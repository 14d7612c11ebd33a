import type { JsonObject } from '@trestle/protocol'
import { z } from 'zod'
import { ApiError, notFound, refuseTaken } from '../../api/api-error.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { receivesReports, reportReaders } from '../../reports/report-readers.ts'
import { integration } from '../../resources/delivery.ts'
import type { IntegrationRow } from '../../store/schema/delivery.ts'
import type { Session } from '../../store/store.ts'
import { checkCredentials } from './check-credentials.ts'
import { removeDependents, renameIntegration } from './integration-dependents.ts'
import { createIntegrationBody, updateIntegrationBody } from './integration-fields.ts'
import { openCredentials, showIntegration as show, toChangedRow, toNewRow } from './integration-row.ts'
import { keepOnePrimary } from './primary-integration.ts'

const common = { category: 'global', wrapped: true } as const
const path = '/v1/integrations'

/** Operations on integrations, the delivery providers of an environment. */
export const integrationOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'integrations.list',
    access: 'view',
    method: 'GET',
    path,
    summary: 'Lists the integrations; credentials are masked',
    output: z.array(integration),
    handler: (context) => readAll(context.store.db, context),
  }),
  operation({
    ...common,
    name: 'integrations.listActive',
    access: 'view',
    method: 'GET',
    path: `${path}/active`,
    summary: 'Lists the active integrations; credentials are masked',
    output: z.array(integration),
    handler: async (context) => (await readAll(context.store.db, context)).filter(({ active }) => active === true),
  }),
  operation({
    ...common,
    name: 'integrations.getWebhookStatus',
    access: 'view',
    method: 'GET',
    path: `${path}/webhook/provider/{providerOrIntegrationId}/status`,
    summary: 'Returns whether an integration is set up to receive delivery reports from its provider',
    output: z.boolean(),
    async handler(context, { params }) {
      const { providerOrIntegrationId: wanted = '' } = params
      const rows = await select(context.store.db, context).execute()
      const row = rows.find(({ id, identifier, providerId }) => [id, identifier, providerId].includes(wanted))
      if (!row) throw notFound('Integration', wanted)
      const { channel, providerId } = row
      if (channel !== 'email' && channel !== 'sms' && !reportReaders.has(providerId))
        throw new ApiError(400, `Integrations with the provider ${providerId} have no delivery reports.`)
      return receivesReports(row.providerId, openCredentials(context, row))
    },
  }),
  operation({
    ...common,
    name: 'integrations.create',
    access: 'administer',
    method: 'POST',
    path,
    summary: 'Creates an integration',
    status: 201,
    body: createIntegrationBody,
    output: integration,
    async handler(context, { body }) {
      const row = toNewRow(context, body)
      if (body.check === true) await checkCredentials(context, row)
      return context.store.transaction(async (tx) => {
        if (row.channel === 'in_app') await refuseSecondInApp(tx, context)
        await tx.insertInto('integrations').values(row).execute().catch(refuseSame(row))
        await keepOnePrimary(tx, context, row)
        return show(await find(tx, context, row.id), context)
      })
    },
  }),
  operation({
    ...common,
    name: 'integrations.update',
    access: 'administer',
    method: 'PUT',
    path: `${path}/{integrationId}`,
    summary: 'Changes an integration. A masked credential keeps its saved value',
    body: updateIntegrationBody,
    output: integration,
    async handler(context, { params, body }) {
      const findIt = (db: Session) => find(db, context, params['integrationId'])
      if (Object.keys(body).length === 0) throw new ApiError(400, 'Send at least one field to change.')
      const checked = toChangedRow(context, await findIt(context.store.db), body)
      if (body.check === true) await checkCredentials(context, checked)
      return context.store.transaction(async (tx) => {
        // The credentials test may have taken a while, so the row is read again to keep concurrent changes.
        const currentRow = await findIt(tx)
        const row = toChangedRow(context, currentRow, body)
        await tx.updateTable('integrations').set(row).where('id', '=', row.id).execute().catch(refuseSame(row))
        await renameIntegration(tx, currentRow, row.identifier)
        await keepOnePrimary(tx, context, row)
        return show(await find(tx, context, row.id), context)
      })
    },
  }),
  operation({
    ...common,
    name: 'integrations.delete',
    access: 'administer',
    method: 'DELETE',
    path: `${path}/{integrationId}`,
    summary: 'Deletes an integration and returns the others',
    output: z.array(integration),
    handler: (context, { params }) =>
      context.store.transaction(async (tx) => {
        const row = await find(tx, context, params['integrationId'])
        await tx.deleteFrom('integrations').where('id', '=', row.id).execute()
        await removeDependents(tx, row)
        await keepOnePrimary(tx, context, { ...row, active: 0, isPrimary: 0 })
        return readAll(tx, context)
      }),
  }),
  operation({
    ...common,
    name: 'integrations.setPrimary',
    access: 'administer',
    method: 'POST',
    path: `${path}/{integrationId}/set-primary`,
    summary: 'Sets the primary integration of a channel',
    output: integration,
    handler: (context, { params }) =>
      context.store.transaction(async (tx) => {
        const currentRow = await find(tx, context, params['integrationId'])
        const row: IntegrationRow = { ...currentRow, active: 1, isPrimary: 1, updatedAt: context.clock.now() }
        await tx.updateTable('integrations').set(row).where('id', '=', row.id).execute()
        await keepOnePrimary(tx, context, row)
        return show(row, context)
      }),
  }),
])

const select = (db: Session, { environment }: CallContext) =>
  db.selectFrom('integrations').selectAll().where('environmentId', '=', environment.id).orderBy('id')

async function readAll(db: Session, context: CallContext): Promise<readonly JsonObject[]> {
  return (await select(db, context).execute()).map((row) => show(row, context))
}

async function find(db: Session, context: CallContext, id = ''): Promise<IntegrationRow> {
  const row = await select(db, context).where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Integration', id)
  return row
}

async function refuseSecondInApp(tx: Session, context: CallContext): Promise<void> {
  const other = await select(tx, context).where('channel', '=', 'in_app').executeTakeFirst()
  if (other) throw new ApiError(400, `The in-app integration "${other.identifier}" already exists.`)
}

const refuseSame = ({ identifier }: IntegrationRow) =>
  refuseTaken(`The integration "${identifier}" already exists. Choose another identifier.`)

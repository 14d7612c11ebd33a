import type { JsonObject } from '@trestle/protocol'
import { z } from 'zod'
import { ApiError, invalid } from '../../api/api-error.ts'
import { queryText, text } from '../../api/input.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import { createId } from '../../store/create-id.ts'
import type { VariableRow } from '../../store/schema/delivery.ts'
import { findVariableUsage } from '../../variables/find-variable-usage.ts'
import { findVariable as find, isOthersToo, showVariable as show, storeValues, unlessTaken } from './variable-row.ts'

const maxLength = 256
/** The bridge finds the environment's own name and kind under these. */
const reservedKeys: readonly string[] = ['name', 'type']

const keyField = z
  .string()
  .max(maxLength, `must have at most ${maxLength} characters`)
  .regex(/^[A-Za-z][A-Za-z0-9_]*$/, 'must begin with a letter and consist of letters, digits and "_"')
  .refine((key) => !reservedKeys.includes(key), 'is taken by the environment itself: calls carry its name and type')
const fields = {
  type: z.literal('string', 'must be string').optional(),
  isSecret: z.boolean('must be true or false').optional(),
  values: z
    .array(z.strictObject({ _environmentId: text(100), value: text(maxLength) }))
    .max(100)
    .optional(),
}
const output = z.object({
  _id: z.string(),
  _organizationId: z.string(),
  key: z.string(),
  type: z.string(),
  isSecret: z.boolean(),
  values: z.array(z.object({ _environmentId: z.string(), value: z.string() })),
  createdAt: z.string(),
  updatedAt: z.string(),
})
const common = { category: 'global', wrapped: false, output } as const
const path = '/v1/environment-variables'

/** The operations on environment variables. A key reads, writes and deletes the values of its own environment only. */
export const environmentVariableOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'environmentVariables.list',
    method: 'GET',
    path,
    summary: 'Lists the environment variables',
    query: z.strictObject({ search: queryText() }),
    output: z.array(output),
    // A variable that becomes secret meanwhile must not be shown with the value it then gets.
    handler: (context, { query }) =>
      context.store.transaction(async (tx) => {
        const rows = await tx.selectFrom('variables').selectAll().orderBy('key').execute()
        const wanted = (query.search ?? '').toLowerCase()
        const found = rows.filter(({ key }) => key.toLowerCase().includes(wanted))
        const shown: JsonObject[] = []
        for (const row of found) shown.push(await show(tx, context, row))
        return shown
      }),
  }),
  operation({
    ...common,
    name: 'environmentVariables.create',
    method: 'POST',
    path,
    summary: 'Creates an environment variable',
    body: z.strictObject({ key: keyField, ...fields }),
    handler: (context, { body }) =>
      context.store.transaction(async (tx) => {
        const nowMs = context.clock.now()
        const row: VariableRow = {
          id: createId(nowMs),
          key: body.key,
          type: body.type ?? 'string',
          isSecret: body.isSecret ? 1 : 0,
          createdAt: nowMs,
          updatedAt: nowMs,
        }
        await unlessTaken(body.key, () => tx.insertInto('variables').values(row).execute())
        await storeValues(tx, context, { row, values: body.values ?? [] })
        return show(tx, context, row)
      }),
  }),
  operation({
    ...common,
    name: 'environmentVariables.retrieve',
    method: 'GET',
    path: `${path}/{variableKey}`,
    summary: 'Returns an environment variable; secret values are masked',
    handler: (context, { params }) =>
      context.store.transaction(async (tx) => show(tx, context, await find(tx, params['variableKey']))),
  }),
  operation({
    ...common,
    name: 'environmentVariables.update',
    method: 'PATCH',
    path: `${path}/{variableKey}`,
    summary: 'Changes an environment variable; values are merged by environment',
    body: z.strictObject({ key: keyField.optional(), ...fields }),
    handler: (context, { params, body }) =>
      context.store.transaction(async (tx) => {
        if (Object.keys(body).length === 0) throw new ApiError(400, 'Send at least one field to change.')
        const found = await find(tx, params['variableKey'])
        if (found.isSecret === 1 && body.isSecret === false)
          throw invalid('isSecret', 'cannot be switched off: the values would be shown. Delete the variable instead')
        const isRenamed = body.key !== undefined && body.key !== found.key
        const isHidden = body.isSecret === true && found.isSecret === 0
        if ((isRenamed || isHidden) && (await isOthersToo(tx, context, found)))
          throw new ApiError(
            403,
            `"${found.key}" has values of other environments; it cannot be ${isRenamed ? 'renamed' : 'made secret'} for them.`,
          )
        const row: VariableRow = {
          ...found,
          key: body.key ?? found.key,
          isSecret: (body.isSecret ?? found.isSecret === 1) ? 1 : 0,
          updatedAt: context.clock.now(),
        }
        await unlessTaken(row.key, () => tx.updateTable('variables').set(row).where('id', '=', row.id).execute())
        await storeValues(tx, context, { row, values: body.values ?? [] })
        return show(tx, context, row)
      }),
  }),
  operation({
    ...common,
    name: 'environmentVariables.delete',
    method: 'DELETE',
    path: `${path}/{variableKey}`,
    summary: 'Deletes the value of an environment variable, and the variable where no other environment has one',
    status: 204,
    handler: (context, { params }) =>
      context.store.transaction(async (tx) => {
        const row = await find(tx, params['variableKey'])
        const { numDeletedRows } = await tx
          .deleteFrom('variableValues')
          .where('variableId', '=', row.id)
          .where('environmentId', '=', context.environment.id)
          .executeTakeFirst()
        const isOthers = await isOthersToo(tx, context, row)
        if (isOthers && numDeletedRows === 0n)
          throw new ApiError(403, `"${row.key}" has values of other environments only, which their keys delete.`)
        if (!isOthers) await tx.deleteFrom('variables').where('id', '=', row.id).execute()
      }),
  }),
  operation({
    ...common,
    name: 'environmentVariables.usage',
    method: 'GET',
    path: `${path}/{variableKey}/usage`,
    summary: 'Lists the workflows that name an environment variable',
    output: z.object({ workflows: z.array(z.object({ name: z.string(), workflowId: z.string() })) }),
    async handler({ store, environment }, { params }) {
      const { key } = await find(store.db, params['variableKey'])
      return { workflows: await findVariableUsage(store.db, environment.id, key) }
    },
  }),
])

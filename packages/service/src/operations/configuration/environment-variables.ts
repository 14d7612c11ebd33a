import { z } from 'zod'
import { ApiError, invalid } from '../../api/api-error.ts'
import { queryText, text } from '../../api/input.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import { usage } from '../../resources/delivery.ts'
import { environmentVariable } from '../../resources/environment.ts'
import { named } from '../../resources/named.ts'
import { createId } from '../../store/create-id.ts'
import type { VariableRow } from '../../store/schema/delivery.ts'
import { findVariableUsage } from '../../variables/find-variable-usage.ts'
import { findVariable as find, refuseKey, sealValue, showVariable as show, updateVariable } from './variable-row.ts'

const maxLength = 256
/** Bridge calls carry the environment's own name and type under these keys. */
const reservedKeys: readonly string[] = ['name', 'type']

const keyField = z
  .string()
  .max(maxLength, `must have at most ${maxLength} characters`)
  .regex(/^[A-Za-z][A-Za-z0-9_]*$/, 'must start with a letter and consist of letters, digits and "_"')
  .refine(
    (key) => !reservedKeys.includes(key),
    'is reserved: calls of the bridge carry the name and type of the environment under it',
  )
const fields = {
  type: z.literal('string', 'must be string').optional().describe('The kind of value.'),
  isSecret: z.boolean('must be true or false').optional().describe('Whether the value is masked when read.'),
  values: z
    .array(z.strictObject({ _environmentId: text(100), value: text(maxLength) }))
    .max(100)
    .optional()
    .describe('One value per environment.'),
}
const common = { category: 'global', wrapped: false } as const
const path = '/v1/environment-variables'

/** Operations on environment variables. Each environment has its own names, values and secret flags. */
export const environmentVariableOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'environmentVariables.list',
    access: 'view',
    method: 'GET',
    path,
    summary: 'Lists the environment variables',
    query: z.strictObject({ search: queryText() }),
    output: z.array(environmentVariable),
    handler: async (context, { query }) => {
      const rows = await context.store.db
        .selectFrom('variableValues')
        .selectAll()
        .where('environmentId', '=', context.environment.id)
        .orderBy('key')
        .execute()
      const wanted = (query.search ?? '').toLowerCase()
      return rows.filter(({ key }) => key.toLowerCase().includes(wanted)).map((row) => show(context, row))
    },
  }),
  operation({
    ...common,
    name: 'environmentVariables.create',
    access: 'administer',
    method: 'POST',
    path,
    summary: 'Creates an environment variable',
    body: named(
      'NewVariable',
      'A new variable.',
      z.strictObject({
        key: keyField.describe('The key: a letter, then letters, digits and underscores; at most 256 characters.'),
        ...fields,
      }),
    ),
    output: environmentVariable,
    async handler(context, { body }) {
      const nowMs = context.clock.now()
      const variableId = createId(nowMs)
      const row: VariableRow = {
        variableId,
        environmentId: context.environment.id,
        key: body.key,
        type: body.type ?? 'string',
        isSecret: body.isSecret ? 1 : 0,
        value: null,
        ...sealValue(context, variableId, body.values),
        createdAt: nowMs,
        updatedAt: nowMs,
      }
      await context.store.db.insertInto('variableValues').values(row).execute().catch(refuseKey(body.key))
      return show(context, row)
    },
  }),
  operation({
    ...common,
    name: 'environmentVariables.get',
    access: 'view',
    method: 'GET',
    path: `${path}/{variableKey}`,
    summary: 'Returns an environment variable; secret values are masked',
    output: environmentVariable,
    handler: async (context, { params }) => show(context, await find(context.store.db, context, params['variableKey'])),
  }),
  operation({
    ...common,
    name: 'environmentVariables.update',
    access: 'administer',
    method: 'PATCH',
    path: `${path}/{variableKey}`,
    summary: 'Changes an environment variable',
    body: named(
      'VariableUpdate',
      'Changes to a variable. The value must be for the environment of the key.',
      z.strictObject({ key: keyField.optional().describe('The key.'), ...fields }),
    ),
    output: environmentVariable,
    handler: (context, { params, body }) =>
      context.store.transaction(async (tx) => {
        if (Object.keys(body).length === 0) throw new ApiError(400, 'Send at least one field to change.')
        const before = await find(tx, context, params['variableKey'])
        if (before.isSecret === 1 && body.isSecret === false)
          throw invalid(
            'isSecret',
            'cannot be switched off, because that would reveal the value. Delete the variable instead',
          )
        // Writes only the fields that were sent, because another call may change the others at the same time.
        const changes: Partial<VariableRow> = {
          ...(body.key !== undefined && { key: body.key }),
          ...(body.isSecret !== undefined && { isSecret: body.isSecret ? 1 : 0 }),
          ...sealValue(context, before.variableId, body.values),
          updatedAt: context.clock.now(),
        }
        await updateVariable(tx, before, changes).catch(refuseKey(body.key ?? before.key))
        return show(context, await find(tx, context, body.key ?? before.key))
      }),
  }),
  operation({
    ...common,
    name: 'environmentVariables.delete',
    access: 'administer',
    method: 'DELETE',
    path: `${path}/{variableKey}`,
    summary: 'Deletes an environment variable',
    status: 204,
    async handler(context, { params }) {
      const { variableId, environmentId } = await find(context.store.db, context, params['variableKey'])
      await context.store.db
        .deleteFrom('variableValues')
        .where('environmentId', '=', environmentId)
        .where('variableId', '=', variableId)
        .execute()
    },
  }),
  operation({
    ...common,
    name: 'environmentVariables.getUsage',
    access: 'view',
    method: 'GET',
    path: `${path}/{variableKey}/usage`,
    summary: 'Lists the workflows that use an environment variable',
    output: usage,
    async handler(context, { params }) {
      const { environmentId, key } = await find(context.store.db, context, params['variableKey'])
      return { workflows: await findVariableUsage(context.store.db, environmentId, key) }
    },
  }),
])

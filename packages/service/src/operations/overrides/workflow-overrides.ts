import { z } from 'zod'
import { filledText } from '../../api/input.ts'
import { pageFields, toNumberedPage } from '../../api/numbered-page.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import { named } from '../../resources/named.ts'
import { openPageOf } from '../../resources/page.ts'
import { workflowOverride } from '../../resources/workflows/workflow-v1.ts'
import { createOverride, findOverride, findOverrideOf, toOverride, updateOverride } from './override-row.ts'

const channels = z.strictObject({
  email: z.boolean().optional(),
  sms: z.boolean().optional(),
  in_app: z.boolean().optional(),
  chat: z.boolean().optional(),
  push: z.boolean().optional(),
  tool: z.boolean().optional(),
})
const fields = {
  active: z.boolean().optional().describe('Whether the workflow runs for the tenant.'),
  preferenceSettings: channels.optional().describe("The channels' preferences."),
}
const common = { category: 'global', wrapped: true } as const
const path = '/v1/workflow-overrides'
const pairPath = `${path}/workflows/{workflowId}/tenants/{tenantId}`

/** Operations on workflow overrides by tenant. */
export const workflowOverrideOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'workflowOverrides.create',
    access: 'edit',
    method: 'POST',
    path,
    summary: 'Creates the override of a workflow for a tenant.',
    status: 201,
    body: named(
      'NewWorkflowOverride',
      'A new workflow override.',
      z.strictObject({
        workflowId: filledText().describe('The workflow.'),
        tenantId: filledText().describe('The tenant.'),
        ...fields,
      }),
    ),
    output: workflowOverride,
    handler: (context, { body }) => createOverride(context, body),
  }),
  operation({
    ...common,
    name: 'workflowOverrides.list',
    access: 'view',
    method: 'GET',
    path,
    summary: 'Lists overrides by page number.',
    wrapped: false,
    query: z.strictObject(pageFields({ limit: 10, max: 100 })),
    output: openPageOf(workflowOverride),
    async handler(context, { query }) {
      const rows = await context.store.db
        .selectFrom('workflowOverrides')
        .selectAll()
        .where('environmentId', '=', context.environment.id)
        // Overrides of workflows missing from the last sync are kept but not listed.
        .where(({ exists, selectFrom }) =>
          exists(selectFrom('workflows').select('id').whereRef('workflows.id', '=', 'workflowOverrides.workflowId')),
        )
        .orderBy('id', 'desc')
        .limit(query.limit + 1)
        .offset(query.page * query.limit)
        .execute()
      return toNumberedPage(
        rows.map((row) => toOverride(row, context)),
        query,
      )
    },
  }),
  operation({
    ...common,
    name: 'workflowOverrides.get',
    access: 'view',
    method: 'GET',
    path: pairPath,
    summary: 'Returns the override of a workflow for a tenant.',
    output: workflowOverride,
    handler: async (context, { params }) =>
      toOverride(await findOverrideOf(context.store.db, context, params), context),
  }),
  operation({
    ...common,
    name: 'workflowOverrides.getById',
    access: 'view',
    method: 'GET',
    path: `${path}/{overrideId}`,
    summary: 'Returns an override.',
    output: workflowOverride,
    handler: async (context, { params }) =>
      toOverride(await findOverride(context.store.db, context, String(params['overrideId'])), context),
  }),
  operation({
    ...common,
    name: 'workflowOverrides.updateById',
    access: 'edit',
    method: 'PUT',
    path: `${path}/{overrideId}`,
    summary: 'Changes an override.',
    body: z.strictObject(fields),
    output: workflowOverride,
    handler: (context, { params, body }) =>
      context.store.transaction(async (tx) =>
        updateOverride(tx, context, { row: await findOverride(tx, context, String(params['overrideId'])), body }),
      ),
  }),
  operation({
    ...common,
    name: 'workflowOverrides.update',
    access: 'edit',
    method: 'PUT',
    path: pairPath,
    summary: 'Changes the override of a workflow for a tenant.',
    body: z.strictObject(fields),
    output: workflowOverride,
    handler: (context, { params, body }) =>
      context.store.transaction(async (tx) =>
        updateOverride(tx, context, { row: await findOverrideOf(tx, context, params), body }),
      ),
  }),
  operation({
    ...common,
    name: 'workflowOverrides.delete',
    access: 'edit',
    method: 'DELETE',
    path: `${path}/{overrideId}`,
    summary: 'Deletes an override.',
    output: z.boolean(),
    handler: (context, { params }) =>
      context.store.transaction(async (tx) => {
        const { id } = await findOverride(tx, context, String(params['overrideId']))
        await tx.deleteFrom('workflowOverrides').where('id', '=', id).execute()
        return true
      }),
  }),
])

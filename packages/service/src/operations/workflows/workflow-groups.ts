import type { JsonObject } from '@trestle/protocol'
import { z } from 'zod'
import { ApiError, notFound, refuseTaken } from '../../api/api-error.ts'
import { filledText } from '../../api/input.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { deletion } from '../../resources/deletion.ts'
import { workflowGroup } from '../../resources/workflows/workflow-v1.ts'
import { createId } from '../../store/create-id.ts'
import type { WorkflowGroupRow } from '../../store/schema/workflow.ts'
import type { Session } from '../../store/store.ts'

const common = { category: 'global', wrapped: true } as const
const path = '/v1/notification-groups'
const body = z.strictObject({ name: filledText() })

export const workflowGroupOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'workflowGroups.list',
    access: 'view',
    method: 'GET',
    path,
    summary: 'Lists the workflow groups.',
    output: z.array(workflowGroup),
    async handler(context) {
      const rows = await context.store.db
        .selectFrom('workflowGroups')
        .selectAll()
        .where('environmentId', '=', context.environment.id)
        .orderBy('id')
        .execute()
      return rows.map((row) => toGroup(row, context))
    },
  }),
  operation({
    ...common,
    name: 'workflowGroups.create',
    access: 'edit',
    method: 'POST',
    path,
    summary: 'Creates a group of workflows.',
    status: 201,
    body,
    output: workflowGroup,
    async handler(context, { body: { name } }) {
      const nowMs = context.clock.now()
      const environmentId = context.environment.id
      const row: WorkflowGroupRow = { id: createId(nowMs), environmentId, name, createdAt: nowMs, updatedAt: nowMs }
      await context.store.db
        .insertInto('workflowGroups')
        .values(row)
        .execute()
        .catch(refuseTaken('A group with this name already exists.'))
      return toGroup(row, context)
    },
  }),
  operation({
    ...common,
    name: 'workflowGroups.get',
    access: 'view',
    method: 'GET',
    path: `${path}/{groupId}`,
    summary: 'Returns a group of workflows.',
    output: workflowGroup,
    handler: async (context, { params }) =>
      toGroup(await findGroup(context.store.db, context, String(params['groupId'])), context),
  }),
  operation({
    ...common,
    name: 'workflowGroups.update',
    access: 'edit',
    method: 'PATCH',
    path: `${path}/{groupId}`,
    summary: 'Renames a group of workflows.',
    body,
    output: workflowGroup,
    handler: (context, { params, body: { name } }) =>
      context.store
        .transaction(async (tx) => {
          const row = await findGroup(tx, context, String(params['groupId']))
          const next: WorkflowGroupRow = { ...row, name, updatedAt: context.clock.now() }
          await tx.updateTable('workflowGroups').set(next).where('id', '=', row.id).execute()
          return toGroup(next, context)
        })
        .catch(refuseTaken('A group with this name already exists.')),
  }),
  operation({
    ...common,
    name: 'workflowGroups.delete',
    access: 'edit',
    method: 'DELETE',
    path: `${path}/{groupId}`,
    summary: 'Deletes a group that has no workflows.',
    output: deletion,
    handler: (context, { params }) =>
      context.store.transaction(async (tx) => {
        const row = await findGroup(tx, context, String(params['groupId']))
        const used = await tx
          .selectFrom('workflows')
          .select('identifier')
          .where('groupId', '=', row.id)
          .executeTakeFirst()
        if (used) throw new ApiError(409, `The group contains workflows, such as ${JSON.stringify(used.identifier)}.`)
        await tx.deleteFrom('workflowGroups').where('id', '=', row.id).execute()
        return { acknowledged: true, status: 'deleted' }
      }),
  }),
])

function toGroup({ id, name, environmentId }: WorkflowGroupRow, { organizationId }: CallContext): JsonObject {
  return { _id: id, name, _environmentId: environmentId, _organizationId: organizationId }
}

/**
 * Returns a group of the call's environment.
 *
 * @throws {ApiError} 404
 */
export async function findGroup(
  db: Session,
  { environment }: Pick<CallContext, 'environment'>,
  id: string,
): Promise<WorkflowGroupRow> {
  const row = await db
    .selectFrom('workflowGroups')
    .selectAll()
    .where('environmentId', '=', environment.id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('Workflow group', id)
  return row
}

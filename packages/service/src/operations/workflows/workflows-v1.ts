import type { JsonObject } from '@trestle/protocol'
import { sql } from 'kysely'
import { z } from 'zod'
import { ApiError } from '../../api/api-error.ts'
import { byChannel } from '../../api/by-channel.ts'
import { filledText, jsonObject, pathId, queryText, text } from '../../api/input.ts'
import { pageFields } from '../../api/numbered-page.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { toObject } from '../../json/json.ts'
import { named } from '../../resources/named.ts'
import { countedPageOf } from '../../resources/page.ts'
import { workflowV1 } from '../../resources/workflows/workflow-v1.ts'
import { holdsAnyCase } from '../../store/holds.ts'
import type { WorkflowRow } from '../../store/schema/workflow.ts'
import type { Session } from '../../store/store.ts'
import { storeNewWorkflow } from './new-workflow.ts'
import { type StepV1, stepsV1Field, toStepBody } from './step-v1.ts'
import { storeWorkflow, type WorkflowChange } from './store-workflow.ts'
import { findGroup } from './workflow-groups.ts'
import { checkIdentifier, findWorkflow, lookUpWorkflow, removeWorkflow } from './workflow-row.ts'
import { loadControls } from './workflow-view.ts'
import { toWorkflowV1 } from './workflow-view-v1.ts'

const common = { category: 'configuration', wrapped: true } as const
const path = '/v1/workflows'
const fields = {
  tags: z.array(text(100)).max(50).optional(),
  description: text(1000).optional(),
  active: z.boolean().optional(),
  draft: z.boolean().optional(),
  critical: z.boolean().optional(),
  preferenceSettings: byChannel(z.boolean()).optional(),
  data: jsonObject().optional(),
  validatePayload: z.boolean().optional(),
}

interface BodyV1 {
  readonly name?: string | undefined
  readonly notificationGroupId?: string | undefined
  readonly steps?: readonly StepV1[] | undefined
  /** The stored control values of an existing workflow, by step id. */
  readonly stored?: ReadonlyMap<string, JsonObject> | undefined
  readonly preferenceSettings?: Readonly<Partial<Record<string, boolean>>> | undefined
  /** The stored preferences of an existing workflow. */
  readonly userPreferences?: JsonObject | undefined
  readonly data?: JsonObject | undefined
  readonly blueprintId?: string | undefined
}

/** Operations (v1) on workflows. */
export const workflowV1Operations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'workflows.listV1',
    access: 'view',
    method: 'GET',
    path,
    summary: 'Lists workflows by page number.',
    wrapped: false,
    query: z.strictObject({ ...pageFields({ limit: 10, max: 100 }), query: queryText() }),
    output: countedPageOf(workflowV1),
    handler: (context, { query }) => list(context, query),
  }),
  operation({
    ...common,
    name: 'workflows.createV1',
    access: 'edit',
    method: 'POST',
    path,
    summary: 'Creates a workflow.',
    status: 201,
    body: named(
      'NewWorkflowV1',
      'A new workflow (v1).',
      z.strictObject({
        ...fields,
        name: filledText().describe('The display name.'),
        notificationGroupId: filledText(100).describe('The group.'),
        steps: stepsV1Field.describe('The steps.'),
        blueprintId: text(100).optional().describe('The blueprint it is created from.'),
      }),
    ),
    output: workflowV1,
    async handler(context, { body: { name, ...body } }) {
      const row = await storeNewWorkflow(context, name, async (tx) => ({
        ...(await toChange(tx, context, body)),
        active: body.active ?? false,
      }))
      return toWorkflowV1(context.store.db, context, row)
    },
  }),
  operation({
    ...common,
    name: 'workflows.getV1',
    access: 'view',
    method: 'GET',
    path: `${path}/{workflowId}`,
    summary: 'Returns a workflow, by its id or identifier.',
    output: workflowV1,
    async handler(context, { params }) {
      const { db } = context.store
      return toWorkflowV1(db, context, await findWorkflow(db, context, String(params['workflowId'])))
    },
  }),
  operation({
    ...common,
    name: 'workflows.updateV1',
    access: 'edit',
    method: 'PUT',
    path: `${path}/{workflowId}`,
    summary: 'Updates the given fields of a workflow.',
    body: named(
      'WorkflowUpdateV1',
      'A change to a workflow (v1).',
      z.strictObject({
        ...fields,
        name: filledText().optional().describe('The display name.'),
        notificationGroupId: filledText(100).optional().describe('The group.'),
        identifier: pathId().optional(),
        steps: stepsV1Field.optional().describe('The steps.'),
      }),
    ),
    output: workflowV1,
    handler: (context, { params, body }) =>
      change(context, String(params['workflowId']), async (tx, row) => {
        const { identifier, ...rest } = body
        checkIdentifier(row, 'identifier', identifier)
        const userPreferences = toObject(JSON.parse(row.userPreferences ?? '{}'))
        return toChange(tx, context, { ...rest, stored: await loadControls(tx, row), userPreferences })
      }),
  }),
  operation({
    ...common,
    name: 'workflows.updateStatusV1',
    access: 'edit',
    method: 'PUT',
    path: `${path}/{workflowId}/status`,
    summary: 'Activates or deactivates a workflow.',
    body: z.strictObject({ active: z.boolean('must be true or false') }),
    output: workflowV1,
    handler: (context, { params, body: { active } }) =>
      change(context, String(params['workflowId']), async (_tx, row) => {
        if ((row.active === 1) === active)
          throw new ApiError(400, `The workflow is already ${active ? 'active' : 'inactive'}.`)
        return { active }
      }),
  }),
  operation({
    ...common,
    name: 'workflows.deleteV1',
    access: 'edit',
    method: 'DELETE',
    path: `${path}/{workflowId}`,
    summary: 'Deletes a workflow; its runs are kept.',
    output: z.boolean(),
    handler: (context, { params }) =>
      context.store.transaction(async (tx) => {
        const id = String(params['workflowId'])
        const row = await lookUpWorkflow(tx, context.environment.id, id)
        if (!row) throw new ApiError(400, `Workflow ${JSON.stringify(id)} was not found in this environment.`)
        await removeWorkflow(tx, row)
        return true
      }),
  }),
])

async function toChange(db: Session, context: CallContext, body: BodyV1): Promise<WorkflowChange> {
  const { steps, stored, notificationGroupId, preferenceSettings, userPreferences, data, blueprintId, ...rest } = body
  if (notificationGroupId !== undefined) await findGroup(db, context, notificationGroupId)
  const wanted = Object.entries(preferenceSettings ?? {}).map(([channel, enabled]) => [channel, { enabled }])
  const channels = { ...toObject(userPreferences?.['channels']), ...Object.fromEntries(wanted) }
  return {
    ...rest,
    ...(steps ? { steps: steps.map((step, index) => toStepBody(step, `steps.${index}`, stored)) } : {}),
    ...(notificationGroupId === undefined ? {} : { groupId: notificationGroupId }),
    // API v1 has only channels. Other preferences are kept.
    ...(preferenceSettings ? { preferences: { user: { ...userPreferences, channels } } } : {}),
    extra: { ...(data ? { data } : {}), ...(blueprintId === undefined ? {} : { blueprintId }) },
  }
}

function change(
  context: CallContext,
  id: string,
  read: (tx: Session, row: WorkflowRow) => Promise<WorkflowChange>,
): Promise<JsonObject> {
  return context.store.transaction(async (tx) => {
    const row = await findWorkflow(tx, context, id)
    const given = await read(tx, row)
    if (given.steps && row.origin === 'external')
      throw new ApiError(409, 'The steps of this workflow come from its bridge. Change them there and sync.')
    const stored = await storeWorkflow(tx, row, { change: given, nowMs: context.clock.now() })
    return toWorkflowV1(tx, context, stored)
  })
}

async function list(
  context: CallContext,
  { page, limit, query }: { readonly page: number; readonly limit: number; readonly query?: string | undefined },
): Promise<unknown> {
  const { db } = context.store
  let wanted = db.selectFrom('workflows').where('environmentId', '=', context.environment.id)
  if (query !== undefined)
    wanted = wanted.where(({ or }) =>
      or([holdsAnyCase(sql.ref('name'), query), holdsAnyCase(sql.ref('identifier'), query)]),
    )
  const rows = await wanted
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(page * limit)
    .execute()
  const counted = await wanted.select(({ fn }) => fn.countAll().as('count')).executeTakeFirstOrThrow()
  const data = await Promise.all(rows.map((row) => toWorkflowV1(db, context, row)))
  return { data, totalCount: Number(counted.count), page, pageSize: limit }
}

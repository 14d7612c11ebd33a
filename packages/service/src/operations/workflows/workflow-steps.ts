import type { JsonObject } from '@trestle/protocol'
import { z } from 'zod'
import { ApiError, notFound } from '../../api/api-error.ts'
import { filledText, jsonObject } from '../../api/input.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { toObject } from '../../json/json.ts'
import { createId } from '../../store/create-id.ts'
import type { StoredStep, WorkflowRow } from '../../store/schema/workflow.ts'
import type { Session } from '../../store/store.ts'
import { storeStepControls } from './store-workflow.ts'
import { findWorkflow, lookUpWorkflow } from './workflow-row.ts'
import { loadControls, showWorkflow, stepsOf, toStep, workflowOutput } from './workflow-view.ts'

const common = { category: 'configuration', wrapped: false, output: z.object({}) } as const
const path = '/v2/workflows/{workflowId}'

/** The operations on the steps of a workflow, and on its copy in another environment. */
export const workflowStepOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'workflows.getStep',
    method: 'GET',
    path: `${path}/steps/{stepId}`,
    summary: 'Returns a step of a workflow.',
    async handler(context, { params }) {
      const { db } = context.store
      const { workflow, step } = await findStep(db, context, params)
      const controls = await loadControls(db, workflow)
      return toStep(workflow, step, controls.get(step.stepId) ?? {})
    },
  }),
  operation({
    ...common,
    name: 'workflows.previewStep',
    method: 'POST',
    path: `${path}/step/{stepId}/preview`,
    summary: 'Renders a step on sample data, by a call of the bridge.',
    status: 201,
    body: z.strictObject({
      controlValues: jsonObject().optional(),
      previewPayload: z
        .strictObject({
          payload: jsonObject().optional(),
          subscriber: jsonObject().optional(),
          steps: jsonObject().optional(),
          context: jsonObject().optional(),
          env: jsonObject().optional(),
        })
        .optional(),
    }),
    handler: (context, { params, body }) => preview(context, params, body),
  }),
  operation({
    ...common,
    name: 'workflows.syncTo',
    method: 'PUT',
    path: `${path}/sync`,
    summary: 'Copies a workflow to another environment.',
    body: z.strictObject({ targetEnvironmentId: filledText(100) }),
    output: workflowOutput,
    handler: (context, { params, body }) => copy(context, String(params['workflowId']), body.targetEnvironmentId),
  }),
])

interface FoundStep {
  readonly workflow: WorkflowRow
  readonly step: StoredStep
}

/**
 * Returns a step of a workflow of the call's environment.
 *
 * @param params - `workflowId` and `stepId`: identifiers, row ids or slugs.
 * @throws {ApiError} 404
 */
export async function findStep(
  db: Session,
  context: Pick<CallContext, 'environment'>,
  params: Readonly<Record<string, string>>,
): Promise<FoundStep> {
  const workflow = await findWorkflow(db, context, String(params['workflowId']))
  const wanted = String(params['stepId'])
  const step = stepsOf(workflow).find(
    ({ id, stepId }) => stepId === wanted || id === wanted || wanted.endsWith(`_st_${id}`),
  )
  if (!step) throw notFound('Step', wanted)
  return { workflow, step }
}

interface PreviewBody {
  readonly controlValues?: JsonObject | undefined
  readonly previewPayload?:
    | {
        readonly payload?: JsonObject | undefined
        readonly subscriber?: JsonObject | undefined
        readonly steps?: JsonObject | undefined
        readonly context?: JsonObject | undefined
      }
    | undefined
}

async function preview(
  context: CallContext,
  params: Readonly<Record<string, string>>,
  { controlValues, previewPayload = {} }: PreviewBody,
): Promise<JsonObject> {
  const { db } = context.store
  const { workflow, step } = await findStep(db, context, params)
  const controls = { ...(await loadControls(db, workflow)).get(step.stepId), ...controlValues }
  const { payload, subscriber = {}, steps = {} } = previewPayload
  const state = Object.entries(steps).map(([stepId, outputs]) => ({
    stepId,
    outputs: toObject(outputs),
    state: { status: 'completed' },
  }))
  const { reply, failure } = await context.bridge.callStep({
    target: await context.loadTarget(context.environment.id),
    bridgeUrl: null,
    action: 'preview',
    workflowId: workflow.identifier,
    stepId: step.stepId,
    event: { ...(payload ? { payload } : {}), subscriber, controls, state } as never,
    signal: context.signal,
  })
  if (failure)
    throw new ApiError(failure.status >= 400 && failure.status < 600 ? failure.status : 502, failure.message, {
      ctx: { code: failure.code, data: failure.data ?? null },
    })
  return {
    result: { type: step.type, preview: reply?.outputs ?? {} },
    previewPayloadExample: { payload: payload ?? {}, subscriber, steps },
  }
}

/** The copy keeps what was set in the target: whether it is active, its preferences. */
function copy(context: CallContext, id: string, targetId: string): Promise<JsonObject> {
  return context.store.transaction(async (tx) => {
    const target = await tx.selectFrom('environments').selectAll().where('id', '=', targetId).executeTakeFirst()
    if (!target) throw notFound('Environment', targetId)
    if (target.id === context.environment.id)
      throw new ApiError(400, 'The target is the environment of the key itself.')
    const source = await findWorkflow(tx, context, id)
    const before = await lookUpWorkflow(tx, target.id, source.identifier)
    const nowMs = context.clock.now()
    const row: WorkflowRow = {
      ...source,
      id: before?.id ?? createId(nowMs),
      environmentId: target.id,
      groupId: before?.groupId ?? null,
      active: before?.active ?? source.active,
      userPreferences: before?.userPreferences ?? source.userPreferences,
      lastTriggeredAt: before?.lastTriggeredAt ?? null,
      createdAt: before?.createdAt ?? nowMs,
      updatedAt: nowMs,
    }
    if (before) await tx.updateTable('workflows').set(row).where('id', '=', row.id).execute()
    else await tx.insertInto('workflows').values(row).execute()
    for (const [stepId, controls] of await loadControls(tx, source))
      await storeStepControls(tx, row, { stepId, controls, nowMs })
    return showWorkflow(tx, row)
  })
}

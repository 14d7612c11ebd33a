import type { JsonObject } from '@trestle/protocol'
import { z } from 'zod'
import { ApiError } from '../../api/api-error.ts'
import { filledText, jsonObject } from '../../api/input.ts'
import { takeUpId } from '../../bridge/workflows/kept-choices.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { storeStepControls } from '../../controls/step-controls.ts'
import { authenticate } from '../../keys/authenticate.ts'
import { named } from '../../resources/named.ts'
import { step, workflow } from '../../resources/workflows/workflow.ts'
import { preview } from '../../resources/workflows/workflow-input.ts'
import { createId } from '../../store/create-id.ts'
import type { EnvironmentRow } from '../../store/schema/account.ts'
import type { WorkflowRow } from '../../store/schema/workflow.ts'
import { previewStep } from './preview-step.ts'
import { findWorkflow, lookUpWorkflow } from './workflow-row.ts'
import { findStep } from './workflow-steps-row.ts'
import { loadControls, showWorkflow, toStep } from './workflow-view.ts'

const common = { category: 'configuration', wrapped: false } as const
const path = '/v2/workflows/{workflowId}'
const targetHeader = 'target-authorization'

/** Operations on the steps of a workflow, and on copies in another environment. */
export const workflowStepOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'workflows.getStep',
    access: 'view',
    method: 'GET',
    path: `${path}/steps/{stepId}`,
    summary: 'Returns a step of a workflow.',
    output: step,
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
    access: 'view',
    method: 'POST',
    path: `${path}/step/{stepId}/preview`,
    summary: 'Renders a step on sample data by calling the bridge.',
    status: 201,
    body: named(
      'PreviewBody',
      'A preview request.',
      z.strictObject({
        controlValues: jsonObject().optional().describe('Control values instead of the stored ones.'),
        previewPayload: z
          .strictObject({
            payload: jsonObject().optional(),
            subscriber: jsonObject().optional(),
            steps: jsonObject().optional(),
            context: jsonObject().optional(),
            env: jsonObject().optional(),
          })
          .optional()
          .describe('The data.'),
      }),
    ),
    output: preview,
    async handler(context, { params, body: { controlValues, previewPayload = {} } }) {
      const { env: _, ...sample } = previewPayload
      const { step, reply } = await previewStep(context, params, { ...sample, controls: controlValues })
      const { payload = {}, subscriber = {}, steps = {} } = sample
      return {
        result: { type: step.type, preview: reply.outputs },
        previewPayloadExample: { payload, subscriber, steps },
      }
    },
  }),
  operation({
    ...common,
    name: 'workflows.syncTo',
    access: 'edit',
    method: 'PUT',
    path: `${path}/sync`,
    summary: 'Copies a workflow to another environment. The call also carries the secret key of the target.',
    headers: { [targetHeader]: 'The word ApiKey, a space, and the secret key of the target environment.' },
    body: z.strictObject({ targetEnvironmentId: filledText(100) }),
    output: workflow,
    handler: (context, { params, body }) => copy(context, String(params['workflowId']), body.targetEnvironmentId),
  }),
])

/**
 * A key is valid for its own environment only, so a copy also requires the key of the target.
 *
 * @throws {ApiError} 401 or 403
 */
async function authenticateTarget(context: CallContext, targetId: string): Promise<EnvironmentRow> {
  if (targetId === context.environment.id) throw new ApiError(400, 'The target is the environment of the key itself.')
  const header = context.header(targetHeader)
  if (header === undefined)
    throw new ApiError(
      403,
      `Copying a workflow requires the keys of both environments. Send the secret key of the target in the header ${targetHeader}: "ApiKey" and the key.`,
    )
  const target = await authenticate(context.store.db, header)
  if (target.id === targetId) return target
  throw new ApiError(403, `The key in the header ${targetHeader} does not belong to the environment ${targetId}.`)
}

/** The copy keeps settings of the target: whether it is active, and its preferences. */
async function copy(context: CallContext, id: string, targetId: string): Promise<JsonObject> {
  const target = await authenticateTarget(context, targetId)
  return context.store.transaction(async (tx) => {
    const source = await findWorkflow(tx, context, id)
    const before = await lookUpWorkflow(tx, target.id, source.identifier)
    const nowMs = context.clock.now()
    const row: WorkflowRow = {
      ...source,
      id: before?.id ?? (await takeUpId(tx, { ...source, id: createId(nowMs), environmentId: target.id })),
      environmentId: target.id,
      groupId: before?.groupId ?? null,
      active: before?.active ?? source.active,
      next: before?.next ?? source.next,
      userPreferences: before?.userPreferences ?? source.userPreferences,
      lastTriggeredAt: before?.lastTriggeredAt ?? null,
      createdAt: before?.createdAt ?? nowMs,
      updatedAt: nowMs,
    }
    if (before) await tx.updateTable('workflows').set(row).where('id', '=', row.id).execute()
    else await tx.insertInto('workflows').values(row).execute()
    const stored = await loadControls(tx, source)
    for (const stepId of (await loadControls(tx, row)).keys())
      if (!stored.has(stepId))
        await tx.deleteFrom('stepControls').where('workflowId', '=', row.id).where('stepId', '=', stepId).execute()
    for (const [stepId, controls] of stored) await storeStepControls(tx, row, { stepId, controls, nowMs })
    return showWorkflow(tx, row)
  })
}

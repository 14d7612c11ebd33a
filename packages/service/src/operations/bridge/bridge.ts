import { BridgeClientError, BridgeSyncError, createBridgeClient } from '@trestle/bridge-client'
import type { JsonObject } from '@trestle/protocol'
import { z } from 'zod'
import { ApiError } from '../../api/api-error.ts'
import { filledText, jsonObject, queryText, text } from '../../api/input.ts'
import { toBridgeError } from '../../bridge/bridge-error.ts'
import { syncBridge } from '../../bridge/sync-bridge.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { storeStepControls } from '../../controls/step-controls.ts'
import { checkStepFeeds } from '../../feeds/feed-choice.ts'
import { toObject, toObjects } from '../../json/json.ts'
import { named } from '../../resources/named.ts'
import {
  bridgeDiff,
  bridgePreview,
  bridgeStatus,
  bridgeValidation,
  controlVersion,
  stepControls,
} from '../../resources/workflows/bridge.ts'
import { workflowV1 } from '../../resources/workflows/workflow-v1.ts'
import type { WorkflowRow } from '../../store/schema/workflow.ts'
import { previewStep } from '../workflows/preview-step.ts'
import { findStep } from '../workflows/workflow-steps-row.ts'
import { loadControls } from '../workflows/workflow-view.ts'
import { toWorkflowV1 } from '../workflows/workflow-view-v1.ts'
import { refuseWrongControls } from './check-controls.ts'

const common = { category: 'global', wrapped: true } as const
const path = '/v1/bridge'
const controlsPath = `${path}/controls/{workflowId}/{stepId}`
const bridgeUrl = filledText(5000)

/** The operations on the bridge of an environment. @source bridge-protocol.md#requests */
export const bridgeOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'bridge.sync',
    access: 'administer',
    method: 'POST',
    path: `${path}/sync`,
    summary: 'Syncs the workflows of a bridge and stores its address.',
    status: 201,
    query: z.strictObject({ source: queryText() }),
    body: z.strictObject({ bridgeUrl, workflows: z.array(z.unknown()).optional() }),
    output: z.array(workflowV1),
    // The specification requires a bare message: no code, no data, no other status.
    refusal: ({ message, details }) => (details.errors?.['bridgeUrl'] ? 'bridgeUrl: invalid URL format' : message),
    handler: (context, { body }) => sync(context, body.bridgeUrl),
  }),
  operation({
    ...common,
    name: 'bridge.validate',
    access: 'administer',
    method: 'POST',
    path: `${path}/validate`,
    summary: 'Returns whether a bridge at an address answers a signed discovery call, and why not.',
    status: 201,
    body: z.strictObject({ bridgeUrl }),
    output: bridgeValidation,
    async handler(context, { body }) {
      try {
        // Signed, so that a bridge with a different key or header is not reported as valid.
        await clientOf(context, await context.loadTarget(context.environment.id), body.bridgeUrl).discover()
        return { isValid: true }
      } catch (error) {
        if (!(error instanceof BridgeClientError)) throw error
        return { isValid: false, error: { code: error.code, message: error.message } }
      }
    },
  }),
  operation({
    ...common,
    name: 'bridge.diff',
    access: 'administer',
    method: 'POST',
    path: `${path}/diff`,
    summary: 'Returns the workflows of a bridge next to the stored ones.',
    status: 201,
    body: z.strictObject({ bridgeUrl, workflows: z.array(jsonObject()).optional() }),
    output: bridgeDiff,
    handler: (context, { body }) => diff(context, body),
  }),
  operation({
    ...common,
    name: 'bridge.getControls',
    access: 'view',
    method: 'GET',
    path: controlsPath,
    summary: 'Returns the control values stored for a step.',
    output: stepControls,
    async handler({ store, ...context }, { params }) {
      const { workflow, step } = await findStep(store.db, context, params)
      return { controls: (await loadControls(store.db, workflow)).get(step.stepId) ?? {} }
    },
  }),
  operation({
    ...common,
    name: 'bridge.updateControls',
    access: 'edit',
    method: 'PUT',
    path: controlsPath,
    summary: 'Saves the control values of a step, after testing them on sample data if the bridge answers.',
    body: z.strictObject({ variables: jsonObject() }),
    output: stepControls,
    async handler({ store, ...context }, { params, body: { variables } }) {
      const checked = await refuseWrongControls({ store, ...context }, params, variables)
      return store.transaction(async (tx) => {
        const { workflow, step } = await findStep(tx, context, params)
        await checkStepFeeds(tx, workflow.environmentId, [{ type: step.type, controlValues: variables }])
        const saved = { stepId: step.stepId, controls: variables, nowMs: context.clock.now(), by: context.by }
        await storeStepControls(tx, workflow, saved)
        return { controls: variables, checked }
      })
    },
  }),
  operation({
    ...common,
    name: 'studio.controlVersions',
    access: 'view',
    method: 'GET',
    path: '/v1/studio/workflows/{workflowId}/steps/{stepId}/controls/versions',
    summary: 'Lists the control values that were saved for a step, newest first',
    output: z.array(controlVersion),
    async handler({ store, ...context }, { params }) {
      const { workflow, step } = await findStep(store.db, context, params)
      const rows = await store.db
        .selectFrom('stepControlVersions')
        .selectAll()
        .where('workflowId', '=', workflow.id)
        .where('stepId', '=', step.stepId)
        .orderBy('id', 'desc')
        .execute()
      return rows.map(({ id, by, controls, createdAt }) => ({
        ...{ _id: id, by, controls: JSON.parse(controls) as JsonObject },
        createdAt: new Date(createdAt).toISOString(),
      }))
    },
  }),
  operation({
    ...common,
    name: 'bridge.previewStep',
    access: 'view',
    method: 'POST',
    path: `${path}/preview/{workflowId}/{stepId}`,
    summary: 'Returns a step as the bridge renders it on sample data.',
    status: 201,
    body: named(
      'BridgePreviewBody',
      'The data of a bridge preview.',
      z.strictObject({
        controls: jsonObject().optional().describe('Control values.'),
        payload: jsonObject().optional().describe('The trigger payload.'),
      }),
    ),
    output: bridgePreview,
    handler: async (context, { params, body }) => (await previewStep(context, params, body)).reply,
  }),
  operation({
    ...common,
    name: 'bridge.getStatus',
    access: 'administer',
    method: 'GET',
    path: `${path}/status`,
    summary: 'Returns the answer of the stored bridge to a health check.',
    query: z.strictObject({ bridgeUrl: text(5000).optional() }),
    output: bridgeStatus,
    async handler(context, { query }) {
      const target = await context.loadTarget(context.environment.id)
      const client = clientOf(context, target, query.bridgeUrl ?? target.bridgeUrl)
      return client.healthCheck().catch(refuseWith)
    },
  }),
])

async function sync(context: CallContext, url: string): Promise<readonly JsonObject[]> {
  const { store, clock, bridgeSettings, syncFeed, environment } = context
  const ports = { store, clock, settings: bridgeSettings, feed: syncFeed }
  const target = await context.loadTarget(environment.id)
  try {
    const rows = await syncBridge(ports, target, url)
    return await Promise.all(
      rows.map(async (row) => ({ ...(await toWorkflowV1(store.db, context, row)), warnings: warningsOf(row) })),
    )
  } catch (error) {
    if (error instanceof BridgeSyncError) throw new ApiError(400, error.message)
    throw error
  }
}

/** Warnings of discovery, returned to the caller of a sync. */
function warningsOf({ manifest }: WorkflowRow): readonly unknown[] {
  const { warnings } = manifest === null ? {} : toObject(JSON.parse(manifest))
  return toObjects(warnings)
}

type Target = Awaited<ReturnType<CallContext['loadTarget']>>

function clientOf({ bridgeSettings }: CallContext, { secretKey, name }: Target, url: string | null) {
  const { onAttempt: _, ...settings } = bridgeSettings
  const logger = { warn: () => undefined }
  return createBridgeClient({ ...settings, secretKey, environmentName: name, bridgeUrl: url, logger })
}

function refuseWith(error: unknown): never {
  throw error instanceof BridgeClientError ? toBridgeError(error) : error
}

async function diff(
  context: CallContext,
  { bridgeUrl: url, workflows }: { readonly bridgeUrl: string; readonly workflows?: readonly JsonObject[] | undefined },
): Promise<JsonObject> {
  const { store, environment } = context
  const target = await context.loadTarget(environment.id)
  if (target.bridgeUrl === null) throw new ApiError(400, 'The environment has no bridge yet; sync one first.')
  const rows = await store.db
    .selectFrom('workflows')
    .select(['identifier', 'name', 'manifest'])
    .where('environmentId', '=', environment.id)
    .where('origin', '=', 'external')
    .orderBy('identifier')
    .execute()
  const stored = rows.map(({ identifier, name, manifest }) =>
    manifest === null ? { workflowId: identifier, name } : (JSON.parse(manifest) as JsonObject),
  )
  const newWorkflows = workflows ?? (await clientOf(context, target, url).discover().catch(refuseWith)).workflows
  return {
    current: { workflows: stored, bridgeUrl: target.bridgeUrl },
    new: { workflows: newWorkflows, bridgeUrl: url },
  }
}

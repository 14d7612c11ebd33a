import { BridgeSyncError } from '@trestle/bridge-client'
import { z } from 'zod'
import { ApiError } from '../../api/api-error.ts'
import { filledText } from '../../api/input.ts'
import { syncBridge } from '../../bridge/sync-bridge.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { studioBridge } from '../../resources/studio/bridge.ts'
import { showBridge } from './bridge-state.ts'

const common = { category: 'global', wrapped: true, output: studioBridge } as const
const path = '/v1/studio/bridge'

/** Operations on the bridge of an environment. */
export const studioBridgeOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'studio.bridge',
    access: 'view',
    method: 'GET',
    path,
    summary: 'Returns the last sync, the workflows with their schemas, and their problems',
    handler: showBridge,
  }),
  operation({
    ...common,
    name: 'studio.bridgeSync',
    access: 'administer',
    method: 'POST',
    path: `${path}/sync`,
    summary: 'Syncs the bridge and returns its status; a failed sync is reported in the result',
    body: z.strictObject({ bridgeUrl: filledText(5000).optional() }).optional(),
    async handler(context, { body }) {
      await sync(context, body?.bridgeUrl)
      return showBridge(context)
    },
  }),
])

async function sync(context: CallContext, given: string | undefined): Promise<void> {
  const { store, clock, bridgeSettings, syncFeed, environment } = context
  const target = await context.loadTarget(environment.id)
  const url = given ?? target.bridgeUrl
  if (url === null) throw new ApiError(400, 'The environment has no bridge yet. Send its URL as bridgeUrl.')
  try {
    await syncBridge({ store, clock, settings: bridgeSettings, feed: syncFeed }, target, url)
  } catch (error) {
    if (!(error instanceof BridgeSyncError)) throw error
  }
}

import type { JsonObject } from '@trestle/protocol'
import type { BridgeRunCall, BridgeStepCall } from './bridge-call.ts'
import { secretMask } from './mask-secrets.ts'

/**
 * Returns `env` of a call. A trigger's caller can choose the bridge, so secret variables are only sent to the
 * environment's own bridge. A preview's caller chooses the templates and sees their result, so they receive the mask.
 *
 * @param calledUrl - The URL of the bridge that receives it.
 */
export function toEnvironment(call: BridgeRunCall | BridgeStepCall, calledUrl: string | null): JsonObject {
  const { name, type, variables, secretKeys, bridgeUrl } = call.target
  const isPreview = 'action' in call && call.action === 'preview'
  const visible = Object.entries(variables).flatMap(([key, value]) => {
    if (!secretKeys.includes(key)) return [[key, value]]
    if (calledUrl !== bridgeUrl) return []
    return [[key, isPreview ? secretMask : value]]
  })
  return { name, type, ...Object.fromEntries(visible) }
}

import { type HealthReply, protocolVersion } from '@trestle/protocol'
import type { Registry } from '../bridge/registry.ts'
import { frameworkVersion } from '../config/version.ts'

/**
 * Reports that the bridge is up. Runs no user code.
 *
 * @param detailed - Whether to include versions and counts.
 * @source bridge-protocol.md#replies
 */
export function toHealth(registry: Registry, detailed: boolean): HealthReply {
  if (!detailed) return { status: 'ok' }
  let steps = 0
  for (const { stepCount } of registry.workflows.values()) steps += stepCount
  return {
    status: 'ok',
    sdkVersion: frameworkVersion,
    frameworkVersion: protocolVersion,
    discovered: { workflows: registry.workflows.size, steps },
  }
}

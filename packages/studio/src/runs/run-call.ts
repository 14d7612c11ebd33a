import type { WholeRun } from '../api/generated/resources.ts'
import type { TriggerBody } from './call-text.ts'

/** Returns the trigger that reruns a run with the same recipient and data. */
export function toTriggerBody(run: WholeRun): TriggerBody & Readonly<Record<string, unknown>> {
  const { workflowId, subscriberId, payload, overrides, actor, tenant, context } = run
  const actorId = actor?.['subscriberId']
  const tenantId = tenant?.['identifier']
  const contexts = Object.entries(context ?? {}).map(([type, one]) => [type, (one as { readonly id?: unknown }).id])
  return {
    name: workflowId,
    to: subscriberId,
    payload,
    ...(Object.keys(overrides).length > 0 && { overrides }),
    ...(typeof actorId === 'string' && { actor: actorId }),
    ...(typeof tenantId === 'string' && { tenant: tenantId }),
    ...(contexts.length > 0 && { context: Object.fromEntries(contexts) }),
  }
}

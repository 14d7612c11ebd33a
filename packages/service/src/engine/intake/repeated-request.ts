import type { JsonObject } from '@trestle/protocol'
import type { RunRow } from '../../store/schema/run.ts'
import { parseObject } from '../base/parse-json.ts'
import type { TriggerRequest } from './trigger-request.ts'

/**
 * Returns what a trigger inherits from an earlier run: its tenant, contexts and actor, by their ids.
 *
 * @param run - The run.
 */
export function toRepeatedRequest(run: RunRow): Pick<TriggerRequest, 'actor' | 'tenant' | 'context'> {
  const contexts = Object.entries(parseObject(run.context))
  return {
    actor: run.actor === null ? undefined : parseObject(run.actor)['subscriberId'],
    tenant: run.tenant === null ? undefined : parseObject(run.tenant)['identifier'],
    context: Object.fromEntries(contexts.map(([type, one]) => [type, String((one as JsonObject)['id'])])),
  }
}

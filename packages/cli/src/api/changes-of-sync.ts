import type { Change } from '../diff/change.ts'
import { compareContracts } from '../diff/compare-contracts.ts'
import { toContract } from '../diff/contract.ts'
import type { Synced } from './sync-bridge.ts'

/**
 * Returns the changes made by a sync. If the service does not return the previous workflows, all of them are listed as
 * synced.
 */
export function toChangesOf({ before, after, workflowIds }: Synced): readonly Change[] {
  if (before === undefined || after === undefined)
    return workflowIds.map((workflowId) => ({
      kind: 'safe',
      workflowId,
      path: '',
      message: 'the workflow was synced',
    }))
  return compareContracts(toContract({ workflows: before }), toContract({ workflows: after }))
}

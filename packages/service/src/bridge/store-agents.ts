import type { DiscoverReply } from '@trestle/protocol'
import { createId } from '../store/create-id.ts'
import type { Session } from '../store/store.ts'
import type { WorkflowTime } from './workflows/store-workflows.ts'

/**
 * Replaces the agents of a bridge. Conversations are kept, including those of removed agents.
 *
 * @param tx - The database transaction.
 */
export async function storeAgents(
  tx: Session,
  agents: DiscoverReply['agents'],
  { environmentId, nowMs }: Pick<WorkflowTime, 'environmentId' | 'nowMs'>,
): Promise<void> {
  const storedAgents = await tx.selectFrom('agents').selectAll().where('environmentId', '=', environmentId).execute()
  const kept = new Set(agents.map(({ agentId }) => agentId))
  for (const { id, identifier } of storedAgents)
    if (!kept.has(identifier)) await tx.deleteFrom('agents').where('id', '=', id).execute()
  for (const [position, { agentId }] of agents.entries()) {
    const before = storedAgents.find(({ identifier }) => identifier === agentId)
    const changed = { position, updatedAt: nowMs }
    await (before
      ? tx.updateTable('agents').set(changed).where('id', '=', before.id).execute()
      : tx
          .insertInto('agents')
          .values({ id: createId(nowMs), environmentId, identifier: agentId, createdAt: nowMs, ...changed })
          .execute())
  }
}

import { z } from 'zod'
import { ApiError, invalid } from '../../api/api-error.ts'
import { text, webAddress } from '../../api/input.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'

// The command has two forms: `dev` sends the first, `sync` the second.
const body = z.union([
  z.strictObject({ devBridgeUrl: webAddress(), devBridgeActive: z.literal(true) }),
  z.strictObject({ bridgeUrl: webAddress() }),
])

/** The legacy CLI calls this for each agent after it has synced a bridge. */
export const agentBridgeOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    name: 'agents.setBridge',
    access: 'administer',
    method: 'PUT',
    path: '/v1/agents/{agentId}/bridge',
    category: 'global',
    wrapped: true,
    summary: 'Confirms that the bridge of the environment serves an agent. To change the bridge, sync another one.',
    params: z.object({ agentId: text(255) }),
    body,
    output: z.object({
      agentId: z.string(),
      bridgeUrl: z.string().optional(),
      devBridgeUrl: z.string().optional(),
      devBridgeActive: z.literal(true).optional(),
    }),
    async handler({ store, environment }, { params: { agentId }, body }) {
      const agent = await store.db
        .selectFrom('agents')
        .select('identifier')
        .where('environmentId', '=', environment.id)
        .where('identifier', '=', agentId)
        .executeTakeFirst()
      if (!agent) throw new ApiError(404, `The environment has no agent "${agentId}". Sync its bridge first.`)
      const { bridgeUrl } = environment
      const [field, url] = 'bridgeUrl' in body ? ['bridgeUrl', body.bridgeUrl] : ['devBridgeUrl', body.devBridgeUrl]
      if (url !== bridgeUrl) throw invalid(field, `must be the synced bridge, ${bridgeUrl}; sync the other one first`)
      return { agentId, ...body }
    },
  }),
])

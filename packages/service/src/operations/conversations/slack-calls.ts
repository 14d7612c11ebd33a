import { z } from 'zod'
import { ApiError, notFound } from '../../api/api-error.ts'
import { type AnyOperation, operation, type Reply, reply } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { readSlackCall } from '../../conversations/slack/read-slack-call.ts'
import { receiveSlack } from '../../conversations/slack/receive-slack.ts'
import { findSlackIntegrations, type SlackIntegration } from '../../conversations/slack/slack-integration.ts'
import { isSignedBySlack } from '../../conversations/slack/verify-signature.ts'

const maxBodyBytes = 1024 * 1024

/** The operation that Slack calls. */
export const slackCallOperations: readonly AnyOperation[] = Object.freeze([
  operation<Readonly<Record<string, string>>, undefined, Uint8Array>({
    name: 'agents.slack',
    method: 'POST',
    path: '/v1/agents/{agentId}/slack/{integrationIdentifier}',
    summary: "Takes events and interactions of Slack for an agent, verified by the signing secret of Slack's app",
    category: 'global',
    wrapped: false,
    open: true,
    raw: true,
    keepsKeys: true,
    maxBodyBytes,
    output: z.unknown(),
    async handler(context, { params, body }) {
      const { agentId = '', integrationIdentifier = '' } = params
      const integration = await verify(context, integrationIdentifier, body)
      const call = readSlackCall(body, context.header('content-type'))
      if (call.kind === 'challenge') return { challenge: call.challenge }
      await checkAgent(context, integration, agentId)
      if (call.kind !== 'ignored') await receiveSlack(context.conversations, { integration, agentId, call })
      return empty()
    },
  }),
])

/** Slack shows a body as an answer to the click. */
const empty = (): Reply => reply(200, '', { 'content-type': 'text/plain; charset=utf-8' })

/** Environments may have integrations of one identifier; the secret that signed the call says which is meant. */
async function verify(
  { store, vault, clock, header }: CallContext,
  identifier: string,
  body: Uint8Array,
): Promise<SlackIntegration> {
  const [timestamp, signature] = [header('x-slack-request-timestamp'), header('x-slack-signature')]
  const call = { timestamp, signature, body, nowMs: clock.now() }
  const integrations = await findSlackIntegrations({ db: store.db, vault }, { identifier })
  const signer = integrations.find(({ signingSecret = '' }) => isSignedBySlack(call, signingSecret))
  if (!signer)
    throw new ApiError(
      401,
      'The call is not signed by the signing secret of an active integration of Slack for agents, or not within the last five minutes.',
    )
  return signer
}

async function checkAgent({ store }: CallContext, { environmentId }: SlackIntegration, agentId: string): Promise<void> {
  const agent = await store.db
    .selectFrom('agents')
    .select('id')
    .where('environmentId', '=', environmentId)
    .where('identifier', '=', agentId)
    .executeTakeFirst()
  if (!agent) throw notFound('Agent', agentId)
}

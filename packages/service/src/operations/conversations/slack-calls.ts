import { z } from 'zod'
import { ApiError, notFound } from '../../api/api-error.ts'
import type { OpenCallInput } from '../../context/open-call.ts'
import { type AnyOperation, operation, type Reply, reply } from '../../context/operation.ts'
import type { CallContext, ServiceContext } from '../../context/service-context.ts'
import { readSlackCall } from '../../conversations/slack/read-slack-call.ts'
import { receiveSlack } from '../../conversations/slack/receive-slack.ts'
import { findSlackIntegrations, type SlackIntegration } from '../../conversations/slack/slack-integration.ts'
import { isSignedBySlack, mayBeSigned } from '../../conversations/slack/verify-signature.ts'

const maxBodyBytes = 1024 * 1024

export const slackCallOperations: readonly AnyOperation[] = Object.freeze([
  operation<Readonly<Record<string, string>>, undefined, Uint8Array>({
    name: 'agents.slack',
    access: 'edit',
    method: 'POST',
    path: '/v1/agents/{agentId}/slack/{integrationIdentifier}',
    summary:
      'Receives events and interactions from Slack for an agent, verified by the signing secret of the Slack app',
    category: 'global',
    wrapped: false,
    open: { admit, prove: verify },
    raw: true,
    handlesIdempotency: true,
    maxBodyBytes,
    output: z.unknown(),
    async handler(context, { params, body }) {
      const { agentId = '', integrationIdentifier = '' } = params
      const { header } = context
      const integration = await verify(context, { params: { integrationIdentifier }, header, body })
      const call = readSlackCall(body, context.header('content-type'))
      if (call.kind === 'challenge') return { challenge: call.challenge }
      await checkAgent(context, integration, agentId)
      if (call.kind !== 'ignored') await receiveSlack(context.conversations, { integration, agentId, call })
      return empty()
    },
  }),
])

/** Slack displays a non-empty body as the response to a click. */
const empty = (): Reply => reply(200, '', { 'content-type': 'text/plain; charset=utf-8' })

type Call = Pick<OpenCallInput, 'params' | 'header'>

const unsigned = (): ApiError =>
  new ApiError(
    401,
    'The signature does not match an active Slack integration for agents, or is older than five minutes.',
  )

const find = ({ store, vault }: ServiceContext, { params }: Call): Promise<readonly SlackIntegration[]> =>
  findSlackIntegrations({ db: store.db, vault }, { identifier: params['integrationIdentifier'] ?? '' })

/** Rejects calls that no integration could have signed before the body is read. */
async function admit(context: ServiceContext, call: Call): Promise<void> {
  if (!mayBeSigned(readSignature(context, call))) throw unsigned()
  if ((await find(context, call)).every(({ signingSecret }) => !signingSecret)) throw unsigned()
}

/** Integrations of several environments may share an identifier; the matching signing secret selects one. */
async function verify(context: ServiceContext, call: Call & { readonly body: Uint8Array }): Promise<SlackIntegration> {
  const signed = { ...readSignature(context, call), body: call.body }
  const integrations = await find(context, call)
  const signer = integrations.find(({ signingSecret = '' }) => isSignedBySlack(signed, signingSecret))
  if (!signer) throw unsigned()
  return signer
}

const readSignature = ({ clock }: ServiceContext, { header }: Call) => ({
  timestamp: header('x-slack-request-timestamp'),
  signature: header('x-slack-signature'),
  nowMs: clock.now(),
})

async function checkAgent({ store }: CallContext, { environmentId }: SlackIntegration, agentId: string): Promise<void> {
  const agent = await store.db
    .selectFrom('agents')
    .select('id')
    .where('environmentId', '=', environmentId)
    .where('identifier', '=', agentId)
    .executeTakeFirst()
  if (!agent) throw notFound('Agent', agentId)
}

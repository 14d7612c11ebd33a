import type { ReceivedMail } from '@trestle/inbound-mail'
import { z } from 'zod'
import { ApiError } from '../../api/api-error.ts'
import { mailAddress, text } from '../../api/input.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { receiveAgentMail } from '../../conversations/email/receive-agent-mail.ts'
import { callWebhook } from '../../inbound-mail/deliver-mail.ts'
import type { InboundPlace } from '../../inbound-mail/find-route.ts'
import { toContent } from '../../inbound-mail/mail-content.ts'
import { routeTest } from '../../resources/domain.ts'
import { createId } from '../../store/create-id.ts'
import { findDomain } from './domain-row.ts'
import { findRoute } from './route-row.ts'

const body = z.strictObject({
  from: z.strictObject({ address: mailAddress(), name: text(255).optional() }),
  subject: text(998),
  text: text(100_000).optional(),
  html: text(100_000).optional(),
  dryRun: z.boolean().optional(),
})
type TestMail = z.infer<typeof body>

/** The operation that sends a test email through a route. */
export const routeTestOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    name: 'domains.testRoute',
    access: 'edit',
    method: 'POST',
    path: '/v1/domains/{domain}/routes/{address}/test',
    summary: 'Sends a test email through a route, or with dryRun returns what would be sent.',
    category: 'global',
    wrapped: true,
    body,
    output: routeTest,
    async handler(context, { params, body: mail }) {
      const domain = await findDomain(context.store.db, context, String(params['domain']))
      const route = await findRoute(context.store.db, domain, String(params['address']))
      const local = route.address === '*' ? 'test' : route.address
      return test(context, { domain, route, recipient: `${local}@${domain.name}` }, mail)
    },
  }),
])

async function test(context: CallContext, place: InboundPlace, given: TestMail): Promise<unknown> {
  const { clock } = context
  const { domain, route } = place
  const nowMs = clock.now()
  const id = createId(nowMs)
  const mail = toMail(given, place, id)
  const payload = { id, ...toContent(mail, place, nowMs) }
  const about = {
    ...{ matched: true, dryRun: given.dryRun === true, type: route.type },
    ...{ domainStatus: domain.status, mxRecordConfigured: domain.isMxConfigured === 1 },
  }
  const target = route.type === 'agent' ? `agent ${route.agentId}` : (route.webhookUrl ?? '')
  if (given.dryRun) return { ...about, wouldDeliverTo: target, payload }
  const startedMs = performance.now()
  const latency = (): number => Math.round(performance.now() - startedMs)
  if (route.type === 'agent') {
    await tellAgent(context, place, mail)
    return { ...about, agent: { agentId: route.agentId, httpStatus: 202, latencyMs: latency() } }
  }
  const { environmentId } = route
  const content = JSON.stringify(payload)
  const { reason } = await callWebhook(context, { id, environmentId, target, content }, context.signal)
  if (reason !== undefined) throw new ApiError(502, `The test mail was not delivered to ${target}. ${reason}`)
  return { ...about, webhook: { latencyMs: latency() } }
}

async function tellAgent(context: CallContext, place: InboundPlace, mail: ReceivedMail): Promise<void> {
  const { store, clock, conversations, conversationFeed } = context
  const outcome = await store.transaction((tx) =>
    receiveAgentMail({ tx, queue: conversations.queue }, { mail, place, nowMs: clock.now() }),
  )
  if ('refusal' in outcome) throw new ApiError(409, outcome.refusal.message)
  conversationFeed.notify()
}

/** The caller has the secret key, so the sender counts as authenticated. */
function toMail(
  { from, subject, text: said, html }: TestMail,
  { recipient, domain }: InboundPlace,
  id: string,
): ReceivedMail {
  const address = from.address.toLowerCase()
  const sent = { result: 'none', domain: '' }
  return {
    ...{ from: { address, name: from.name ?? '' }, to: [{ address: recipient, name: '' }], cc: [], replyTo: [] },
    ...{ subject, messageId: `<${id}.test@${domain.name}>`, answers: [], date: undefined, text: said, html },
    ...{ headers: [], attachments: [], recipients: [recipient], envelopeFrom: address, remoteAddress: '', helo: '' },
    ...{ isSecure: false, sizeBytes: 0, digest: id, automatic: undefined },
    authentication: { verdict: 'pass', spf: sent, dkim: [], dmarc: { ...sent, policy: '' } },
  }
}

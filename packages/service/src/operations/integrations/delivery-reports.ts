import { z } from 'zod'
import { ApiError } from '../../api/api-error.ts'
import type { OpenCallInput } from '../../context/open-call.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { ServiceContext } from '../../context/service-context.ts'
import type { ReportingIntegration } from '../../reports/report-intake.ts'
import { receivesReports, reportReaders } from '../../reports/report-readers.ts'
import { storedReports } from '../../resources/activity/delivery-report.ts'
import { openCredentials, toReportsPath } from './integration-row.ts'

/** WhatsApp sends up to 3 MB. */
const maxBodyBytes = 3 * 1024 * 1024

/** Parameters may be added by the provider. */
const challengeQuery = z.object({
  'hub.mode': z.string(),
  'hub.verify_token': z.string(),
  'hub.challenge': z.string(),
})

/** The operations that providers call to send delivery reports and to verify the URL. */
export const deliveryReportOperations: readonly AnyOperation[] = Object.freeze([
  operation<Readonly<Record<string, string>>, undefined, Uint8Array>({
    name: 'integrations.receiveReports',
    access: 'edit',
    method: 'POST',
    path: toReportsPath('{integrationId}'),
    summary: 'Receives delivery reports from a provider, verified by its signature or password',
    category: 'global',
    wrapped: false,
    open: { admit, prove: verify },
    raw: true,
    handlesIdempotency: true,
    maxBodyBytes,
    output: storedReports,
    async handler(context, { params, body }) {
      const { header, clock } = context
      const integration = await find(context, { params, header })
      return { stored: await context.reports.receive(integration, { header, body, nowMs: clock.now() }) }
    },
  }),
  operation<Readonly<Record<string, string>>, z.infer<typeof challengeQuery>>({
    name: 'integrations.answerChallenge',
    access: 'view',
    method: 'GET',
    path: toReportsPath('{integrationId}'),
    summary: 'Answers the challenge with which a provider verifies the address for delivery reports',
    category: 'global',
    wrapped: false,
    open: { prove: answerChallenge },
    query: challengeQuery,
    isText: true,
    output: z.string().describe('The challenge.'),
    async handler(context, { params, query }) {
      const { header } = context
      return (await answerChallenge(context, { params, header, query: new URLSearchParams(query) })).answer
    },
  }),
])

type Call = Pick<OpenCallInput, 'params' | 'header'>

const unproved = (): ApiError =>
  new ApiError(
    401,
    'The call does not come from the provider of an integration that receives delivery reports, or is too old.',
  )

/** Rejects calls that cannot be genuine before the body is read. */
async function admit(context: ServiceContext, call: Call): Promise<void> {
  const { reader, providerId } = await find(context, call)
  if (reader.mayBeGenuine?.({ header: call.header, nowMs: context.clock.now() }) !== false) return
  context.reports.reject(providerId)
  throw unproved()
}

async function verify(
  context: ServiceContext,
  call: Call & { readonly body: Uint8Array },
): Promise<ReportingIntegration> {
  const integration = await find(context, call)
  const { header, body } = call
  if (await context.reports.isGenuine(integration, { header, body, nowMs: context.clock.now() })) return integration
  context.reports.reject(integration.providerId)
  throw unproved()
}

interface AnsweredChallenge {
  readonly environmentId: string
  readonly answer: string
}

async function answerChallenge(context: ServiceContext, call: OpenCallInput): Promise<AnsweredChallenge> {
  const { reader, credentials, environmentId, providerId } = await find(context, call)
  const answer = reader.answerChallenge?.(call.query, credentials)
  if (answer !== undefined) return { environmentId, answer }
  context.reports.reject(providerId)
  throw unproved()
}

/** An unknown integration gets the same response as a wrong signature, so that callers learn nothing. */
async function find({ store, vault }: ServiceContext, { params }: Call): Promise<ReportingIntegration> {
  const row = await store.db
    .selectFrom('integrations')
    .selectAll()
    .where('id', '=', params['integrationId'] ?? '')
    .executeTakeFirst()
  if (!row) throw unproved()
  const { id, environmentId, providerId } = row
  const credentials = openCredentials({ vault }, row)
  const reader = reportReaders.get(providerId)
  if (!reader || !receivesReports(providerId, credentials)) throw unproved()
  return { id, environmentId, providerId, credentials, reader }
}

import { z } from 'zod'
import { jsonRecord } from './json-record.ts'
import { named } from './named.ts'

const ids = {
  _environmentId: z.string().describe('The environment.'),
  _organizationId: z.string().describe('The organization.'),
  createdAt: z.string().describe('When it was created.'),
  updatedAt: z.string().describe('When it was last changed.'),
  data: z.record(z.string(), z.string()).optional().describe('Custom data.'),
}

export const dnsRecord: z.ZodType = named('DnsRecord', 'A DNS record that a domain needs.', {
  type: z.string().describe('The type, such as `MX`.'),
  name: z.string().describe('The full name.'),
  content: z.string().describe('The value.'),
  ttl: z.string().describe('How long it may be cached.'),
  priority: z.number().optional().describe('The priority, for an MX record.'),
})

export const domain: z.ZodType = named('Domain', 'A domain that receives mail.', {
  _id: z.string().describe('The id, assigned by the service.'),
  name: z.string().describe('The domain.'),
  status: z.enum(['pending', 'verified']).describe('The status of its verification.'),
  mxRecordConfigured: z.boolean().describe('Whether its mail is routed to the service.'),
  expectedDnsRecords: z.array(dnsRecord).describe('The records it needs.'),
  ...ids,
})

export const domainRoute: z.ZodType = named('DomainRoute', 'The destination of mail for an address.', {
  _id: z.string().describe('The id, assigned by the service.'),
  _domainId: z.string().describe('The domain.'),
  address: z.string().describe('The part of the address before the `@`, or `*` for all others.'),
  type: z.enum(['agent', 'webhook']).describe('The type of destination.'),
  agentId: z.string().optional().describe('The agent.'),
  webhookUrl: z.string().optional().describe('The URL to call.'),
  ...ids,
})

export const domainAutoConfigure: z.ZodType = named(
  'DomainAutoConfigure',
  'Whether the service can add the records of a domain.',
  {
    available: z.boolean().describe('Whether it can.'),
    reason: z.string().describe('Why not.'),
    reasonCode: z.string().describe('A stable code for the reason.'),
    manualRecords: z.array(dnsRecord).describe('The records to add manually.'),
  },
)

const code = z.string().describe('A stable code.')

export const domainDiagnosis: z.ZodType = named(
  'DomainDiagnosis',
  'A diagnosis of why mail for a domain may not arrive.',
  {
    ok: z.boolean().describe('Whether all checks passed without errors.'),
    runAt: z.string().describe('When it ran.'),
    checks: z
      .array(z.object({ code, status: z.enum(['pass', 'fail', 'skipped']), latencyMs: z.number() }))
      .describe('The checks.'),
    issues: z
      .array(z.object({ code, severity: z.enum(['warn', 'error']), message: z.string(), fix: z.string() }))
      .describe('What is wrong, and how to fix it.'),
  },
)

export const routeTest: z.ZodType = named('RouteTest', 'The outcome of a test mail.', {
  matched: z.boolean().describe('Whether a route accepts the mail.'),
  dryRun: z.boolean().describe('Whether nothing was sent.'),
  type: z.enum(['agent', 'webhook']).describe('The type of destination.'),
  domainStatus: z.string().describe('The status of the domain.'),
  mxRecordConfigured: z.boolean().describe('Whether mail for the domain is routed to the service.'),
  wouldDeliverTo: z.string().optional().describe('The destination, in a dry run.'),
  payload: jsonRecord.optional().describe('The content that would be sent, in a dry run.'),
  agent: z
    .object({ agentId: z.string().nullable(), httpStatus: z.number(), latencyMs: z.number() })
    .optional()
    .describe('The answer from the agent.'),
  webhook: z
    .object({ latencyMs: z.number() })
    .optional()
    .describe('The duration of the webhook call, in milliseconds.'),
})

import { z } from 'zod'
import { jsonRecord } from './json-record.ts'
import { named } from './named.ts'

const ids = {
  _environmentId: z.string().describe('The environment.'),
  _organizationId: z.string().describe('The organization.'),
  createdAt: z.string().describe('When it was created.'),
  updatedAt: z.string().describe('When it was last changed.'),
  data: z.record(z.string(), z.string()).optional().describe('Free fields.'),
}

export const dnsRecord: z.ZodType = named('DnsRecord', 'A DNS record that a domain needs.', {
  type: z.string().describe('The type, such as `MX`.'),
  name: z.string().describe('The full name.'),
  content: z.string().describe('The value.'),
  ttl: z.string().describe('How long it may be cached.'),
  priority: z.number().optional().describe('The priority, of an MX record.'),
})

export const domain: z.ZodType = named('Domain', 'A domain whose mail the service receives.', {
  _id: z.string().describe("The service's id."),
  name: z.string().describe('The domain.'),
  status: z.enum(['pending', 'verified']).describe('Whether its owner is verified.'),
  mxRecordConfigured: z.boolean().describe('Whether its mail arrives here.'),
  expectedDnsRecords: z.array(dnsRecord).describe('The records it needs.'),
  ...ids,
})

export const domainRoute: z.ZodType = named('DomainRoute', 'Where the mail of an address goes.', {
  _id: z.string().describe("The service's id."),
  _domainId: z.string().describe('The domain.'),
  address: z.string().describe('The part of the address before the `@`, or `*` for every other one.'),
  type: z.enum(['agent', 'webhook']).describe('What takes the mail.'),
  agentId: z.string().optional().describe('The agent.'),
  webhookUrl: z.string().optional().describe('The address that is called.'),
  ...ids,
})

export const domainAutoConfigure: z.ZodType = named(
  'DomainAutoConfigure',
  'Whether the records of a domain can be added for you.',
  {
    available: z.boolean().describe('Whether they can.'),
    reason: z.string().describe('Why not.'),
    reasonCode: z.string().describe('A stable code of the reason.'),
    manualRecords: z.array(dnsRecord).describe('The records to add by hand.'),
  },
)

const code = z.string().describe('A stable code.')

export const domainDiagnosis: z.ZodType = named('DomainDiagnosis', 'Why mail for a domain may not arrive.', {
  ok: z.boolean().describe('Whether no check failed with an error.'),
  runAt: z.string().describe('When it was run.'),
  checks: z
    .array(z.object({ code, status: z.enum(['pass', 'fail', 'skipped']), latencyMs: z.number() }))
    .describe('The checks.'),
  issues: z
    .array(z.object({ code, severity: z.enum(['warn', 'error']), message: z.string(), fix: z.string() }))
    .describe('What is wrong, and how to fix it.'),
})

export const routeTest: z.ZodType = named('RouteTest', 'The outcome of a test mail.', {
  matched: z.boolean().describe('Whether a route takes the mail.'),
  dryRun: z.boolean().describe('Whether nothing was sent.'),
  type: z.enum(['agent', 'webhook']).describe('What takes the mail.'),
  domainStatus: z.string().describe('The status of the domain.'),
  mxRecordConfigured: z.boolean().describe('Whether mail of the domain arrives here.'),
  wouldDeliverTo: z.string().optional().describe('Where it would go, of a dry run.'),
  payload: jsonRecord.optional().describe('What would be sent, of a dry run.'),
  agent: z
    .object({ agentId: z.string().nullable(), httpStatus: z.number(), latencyMs: z.number() })
    .optional()
    .describe('What the agent answered.'),
  webhook: z.object({ latencyMs: z.number() }).optional().describe('How long the webhook took, in milliseconds.'),
})

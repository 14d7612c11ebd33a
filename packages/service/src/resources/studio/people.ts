import { z } from 'zod'
import { named } from '../named.ts'

const role = z.enum(['viewer', 'editor', 'admin', 'none'])

/** A role in one environment. */
const environmentRole = named(
  'PersonRole',
  'A role in one environment.',
  z.object({ environmentId: z.string(), environment: z.string(), role }),
)

/** A person who uses the studio. */
export const person: z.ZodType = named(
  'Person',
  'A person who uses the studio.',
  z.object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    status: z.enum(['invited', 'active', 'disabled']),
    role: role.describe('The role in all environments that are not in `roles`.'),
    roles: z.array(environmentRole),
    signInWith: z.array(z.enum(['password', 'provider'])),
    signedInAt: z.string().nullable(),
    createdAt: z.string(),
  }),
)

/** A one-time link. */
export const personLink: z.ZodType = named(
  'PersonLink',
  'A one-time link. It is shown once.',
  z.object({ person, url: z.string(), purpose: z.enum(['invite', 'reset']), expiresAt: z.string() }),
)

/** A session of the caller's account. */
export const accountSession: z.ZodType = named(
  'AccountSession',
  'A session of an account.',
  z.object({
    id: z.string(),
    isCurrent: z.boolean(),
    address: z.string().nullable(),
    userAgent: z.string().nullable(),
    createdAt: z.string(),
    usedAt: z.string(),
    expiresAt: z.string(),
  }),
)

/** An entry of the audit log. */
export const auditEntry: z.ZodType = named(
  'AuditEntry',
  'A change, and who made it.',
  z.object({
    id: z.string(),
    at: z.string(),
    actor: z.object({
      type: z.enum(['account', 'key']),
      id: z.string().nullable(),
      name: z.string().nullable(),
      address: z.string().nullable(),
    }),
    environment: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
    operation: z.string(),
    summary: z.string(),
    subject: z.string().nullable(),
    outcome: z.enum(['started', 'done', 'refused', 'failed']),
    requestId: z.string(),
  }),
)

import { messageTypes } from '@trestle/protocol'
import { z } from 'zod'
import { filledText, jsonObject, key, text } from '../../api/input.ts'
import { conditionOperators, conditionSubjects } from '../../channels/provider/conditions.ts'

/** The changes of an integration that a caller sends. */
export interface IntegrationChange {
  /** Its name. */
  readonly name?: string | undefined
  /** The caller's own identifier. */
  readonly identifier?: string | undefined
  /** The environment of the key, where it is sent. */
  readonly _environmentId?: string | undefined
  /** The credentials of the provider. */
  readonly credentials?: Readonly<Record<string, unknown>> | undefined
  /** Further settings. */
  readonly configurations?: Readonly<Record<string, unknown>> | undefined
  /** Whether it is used. */
  readonly active?: boolean | undefined
  /** Whether the credentials are tried before they are stored. */
  readonly check?: boolean | undefined
  /** When it is chosen. */
  readonly conditions?: readonly unknown[] | undefined
}

/** A new integration as a caller sends it. */
export interface NewIntegration extends IntegrationChange {
  /** The delivery provider. */
  readonly providerId?: string | undefined
  /** The channel it delivers. */
  readonly channel?: string | undefined
  /** Whether it delivers messages or speaks for an agent. */
  readonly kind?: string | undefined
}

const child = z.strictObject({
  on: z.enum(conditionSubjects, `must be one of ${conditionSubjects.join(', ')}`),
  field: filledText(500),
  operator: z.enum(conditionOperators, `must be one of ${conditionOperators.join(', ')}`),
  value: text(1000).optional(),
})

const group = z.strictObject({
  isNegated: z.boolean().optional(),
  type: z.string().optional(),
  value: z.enum(['AND', 'OR'], 'must be AND or OR').optional(),
  children: z.array(child).max(50),
})

const changeFields = {
  name: filledText().optional(),
  identifier: key().optional(),
  _environmentId: text(100).optional(),
  credentials: jsonObject().optional(),
  configurations: jsonObject().optional(),
  active: z.boolean('must be true or false').optional(),
  check: z.boolean('must be true or false').optional(),
  conditions: z.array(group).max(20).optional(),
}

/** The body that creates an integration. */
export const createIntegrationBody: z.ZodType<NewIntegration> = z.strictObject({
  ...changeFields,
  providerId: key().optional(),
  channel: z.enum(messageTypes, `must be one of ${messageTypes.join(', ')}`).optional(),
  kind: z.enum(['delivery', 'agent'], 'must be delivery or agent').optional(),
})

/** The body that changes an integration. What it delivers stays. */
export const updateIntegrationBody: z.ZodType<IntegrationChange> = z.strictObject(changeFields)

/** An integration as the API shows it. */
export const integrationOutput: z.ZodType = z.looseObject({
  _id: z.string(),
  _environmentId: z.string(),
  _organizationId: z.string(),
  name: z.string(),
  identifier: z.string(),
  providerId: z.string(),
  channel: z.string().optional(),
  credentials: z.record(z.string(), z.unknown()),
  active: z.boolean(),
  deleted: z.boolean(),
  primary: z.boolean(),
})

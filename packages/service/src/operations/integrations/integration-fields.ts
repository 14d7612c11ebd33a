import { messageTypes } from '@trestle/protocol'
import { z } from 'zod'
import { filledText, jsonObject, key, text } from '../../api/input.ts'
import { conditionOperators, conditionSubjects } from '../../channels/provider/conditions.ts'
import { named } from '../../resources/named.ts'

/** The fields of an integration that a caller may change. */
export interface IntegrationChange {
  readonly name?: string | undefined
  /** The identifier, chosen by the caller. */
  readonly identifier?: string | undefined
  /** The environment of the key, if sent. */
  readonly _environmentId?: string | undefined
  /** The provider's credentials. */
  readonly credentials?: Readonly<Record<string, unknown>> | undefined
  readonly configurations?: Readonly<Record<string, unknown>> | undefined
  /** Whether it is active. */
  readonly active?: boolean | undefined
  /** Whether to test the credentials before saving them, as far as possible without sending a message. */
  readonly check?: boolean | undefined
  /** Conditions for using it. */
  readonly conditions?: readonly unknown[] | undefined
}

/** A new integration as a caller sends it. */
export interface NewIntegration extends IntegrationChange {
  readonly providerId?: string | undefined
  /** The channel it delivers to. */
  readonly channel?: string | undefined
  /** Whether it delivers messages or serves an agent. */
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
  name: filledText().optional().describe('The display name.'),
  identifier: key().optional().describe('The identifier.'),
  _environmentId: text(100).optional().describe('The environment.'),
  credentials: jsonObject().optional().describe('The credentials; their fields depend on the provider.'),
  configurations: jsonObject().optional().describe('Settings; their fields depend on the provider.'),
  active: z.boolean('must be true or false').optional().describe('Whether it is active.'),
  check: z
    .boolean('must be true or false')
    .optional()
    .describe(
      'Whether to test the credentials before saving. The service signs in to an SMTP server. For other providers, it checks the required fields and looks up the host, but does not test the key.',
    ),
  conditions: z.array(group).max(20).optional().describe('Conditions for using it; their fields are not specified.'),
}

export const createIntegrationBody: z.ZodType<NewIntegration> = named(
  'NewIntegration',
  'A new integration.',
  z.strictObject({
    ...changeFields,
    providerId: key().optional().describe('The provider.'),
    channel: z
      .enum(messageTypes, `must be one of ${messageTypes.join(', ')}`)
      .optional()
      .describe('The channel.'),
    kind: z
      .enum(['delivery', 'agent'], 'must be delivery or agent')
      .optional()
      .describe('Whether it delivers messages or serves an agent.'),
  }),
)

/** The body that changes an integration. Provider and channel cannot be changed. */
export const updateIntegrationBody: z.ZodType<IntegrationChange> = named(
  'IntegrationFields',
  'The fields of an integration that a caller may set.',
  z.strictObject(changeFields),
)

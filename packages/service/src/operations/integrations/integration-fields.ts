import { messageTypes } from '@trestle/protocol'
import { z } from 'zod'
import { filledText, jsonObject, key, text } from '../../api/input.ts'
import { conditionOperators, conditionSubjects } from '../../channels/provider/conditions.ts'
import { named } from '../../resources/named.ts'

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
  name: filledText().optional().describe('Name for people.'),
  identifier: key().optional().describe('Its own identifier.'),
  _environmentId: text(100).optional().describe('The environment.'),
  credentials: jsonObject().optional().describe('The credentials; their fields depend on the provider.'),
  configurations: jsonObject().optional().describe('Settings; their fields depend on the provider.'),
  active: z.boolean('must be true or false').optional().describe('Whether it is used.'),
  check: z.boolean('must be true or false').optional().describe('Whether the credentials are tried at once.'),
  conditions: z
    .array(group)
    .max(20)
    .optional()
    .describe('The conditions it is used under; their fields are not specified.'),
}

/** The body that creates an integration. */
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

/** The body that changes an integration. What it delivers stays. */
export const updateIntegrationBody: z.ZodType<IntegrationChange> = named(
  'IntegrationFields',
  'The fields of an integration that a caller may set.',
  z.strictObject(changeFields),
)

import type { JsonObject } from '@trestle/protocol'
import { type RawBuilder, sql } from 'kysely'
import type { IntegrationRow } from '../../store/schema/delivery.ts'
import type { Session } from '../../store/store.ts'

/** The integration of a subscriber's channel. */
export type ChannelIntegration = Pick<IntegrationRow, 'id' | 'identifier' | 'providerId' | 'active'>

/** Selects an integration. */
export interface IntegrationQuery {
  /** Row id of the environment. */
  readonly environmentId: string
  readonly providerId: string
  /** The identifier of the integration. @default the preferred integration of the provider */
  readonly identifier?: string | undefined
}

/** Sorts integrations for agents last, because they do not deliver messages. */
export const agentsLast: RawBuilder<number> = sql<number>`case when "kind" = 'agent' then 1 else 0 end`

/** Returns the integration of a channel; `undefined` if there is none. */
export function findChannelIntegration(
  tx: Session,
  { environmentId, providerId, identifier }: IntegrationQuery,
): Promise<ChannelIntegration | undefined> {
  return tx
    .selectFrom('integrations')
    .select(['id', 'identifier', 'providerId', 'active'])
    .where('environmentId', '=', environmentId)
    .where('providerId', '=', providerId)
    .$if(identifier !== undefined, (query) => query.where('identifier', '=', identifier ?? ''))
    .orderBy('active', 'desc')
    .orderBy(agentsLast)
    .orderBy('isPrimary', 'desc')
    .orderBy('id')
    .executeTakeFirst()
}

/**
 * Returns whether a stored channel belongs to an integration. Compares the identifier too, because a recreated
 * integration has a different row id.
 */
export function belongsTo(
  { providerId, integrationIdentifier, _integrationId }: JsonObject,
  { id, identifier, providerId: integrationProviderId }: Omit<ChannelIntegration, 'active'>,
): boolean {
  return providerId === integrationProviderId && (_integrationId === id || integrationIdentifier === identifier)
}

import type { JsonObject } from '@trestle/protocol'
import { type RawBuilder, sql } from 'kysely'
import type { IntegrationRow } from '../../store/schema/delivery.ts'
import type { Session } from '../../store/store.ts'

/** The integration that a subscriber's channel goes through. */
export type ChannelIntegration = Pick<IntegrationRow, 'id' | 'identifier' | 'providerId' | 'active'>

/** Which integration is looked for. */
export interface IntegrationQuery {
  /** Row id of the environment. */
  readonly environmentId: string
  /** The provider. */
  readonly providerId: string
  /** Its identifier. @default the first choice of the provider */
  readonly identifier?: string | undefined
}

/** Orders integrations so that one that speaks for agents, and delivers no messages, is the last choice. */
export const agentsLast: RawBuilder<number> = sql<number>`case when "kind" = 'agent' then 1 else 0 end`

/**
 * Returns the integration a channel goes through.
 *
 * @param tx - The session.
 * @param wanted - The provider, and the integration where one is named.
 */
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
 * Returns whether a stored channel is one of an integration: by its row, or by its identifier, since one that was made
 * anew has another row.
 *
 * @param channel - The channel.
 * @param integration - The integration.
 */
export function belongsTo(
  { providerId, integrationIdentifier, _integrationId }: JsonObject,
  { id, identifier, providerId: integrationProviderId }: Omit<ChannelIntegration, 'active'>,
): boolean {
  return providerId === integrationProviderId && (_integrationId === id || integrationIdentifier === identifier)
}

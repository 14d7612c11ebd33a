import { readText, toObject } from '../../json/json.ts'
import { sealedPlaces } from '../../secrets/sealed-places.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { IntegrationRow } from '../../store/schema/delivery.ts'
import type { Session } from '../../store/store.ts'

/** An integration that lets agents post on Slack. */
export interface SlackIntegration {
  readonly id: string
  /** The environment it belongs to. */
  readonly environmentId: string
  /** The identifier, chosen by the caller. */
  readonly identifier: string
  /** The bot's token; absent if none is stored. */
  readonly token: string | undefined
  /** Verifies calls from Slack; absent if none is stored. */
  readonly signingSecret: string | undefined
  /** The base URL of Slack's API. */
  readonly apiUrl: string
}

const slackApiUrl = 'https://slack.com/api'

/** Dependencies of the lookup. */
export interface IntegrationLookUp {
  readonly db: Session
  readonly vault: Vault
}

/**
 * Returns the active Slack integrations for agents with an identifier, of all environments or of one.
 *
 * @param lookUp - Dependencies.
 * @param named - The identifier, and the environment if known.
 */
export async function findSlackIntegrations(
  { db, vault }: IntegrationLookUp,
  { identifier, environmentId }: { readonly identifier: string; readonly environmentId?: string },
): Promise<readonly SlackIntegration[]> {
  let query = db
    .selectFrom('integrations')
    .selectAll()
    .where('identifier', '=', identifier)
    .where('providerId', '=', 'slack')
    .where('kind', '=', 'agent')
    .where('active', '=', 1)
  if (environmentId !== undefined) query = query.where('environmentId', '=', environmentId)
  return (await query.orderBy('id').limit(100).execute()).map((row) => toIntegration(row, vault))
}

function toIntegration({ id, environmentId, identifier, credentials }: IntegrationRow, vault: Vault): SlackIntegration {
  const { token, signingSecret, baseUrl } = open({ id, credentials }, vault)
  return {
    ...{ id, environmentId, identifier, token: readText(token), signingSecret: readText(signingSecret) },
    apiUrl: (readText(baseUrl) ?? slackApiUrl).replace(/\/+$/, ''),
  }
}

/** Credentials encrypted with a different key count as none. */
function open(
  { id, credentials }: Pick<IntegrationRow, 'id' | 'credentials'>,
  vault: Vault,
): Readonly<Record<string, unknown>> {
  try {
    return toObject(JSON.parse(vault.open(credentials, sealedPlaces.credentials(id))))
  } catch {
    return {}
  }
}

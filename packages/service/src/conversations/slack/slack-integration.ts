import { readText, toObject } from '../../json/json.ts'
import { sealedPlaces } from '../../secrets/sealed-places.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { IntegrationRow } from '../../store/schema/delivery.ts'
import type { Session } from '../../store/store.ts'

/** An integration that lets agents speak on Slack. */
export interface SlackIntegration {
  /** Row id. */
  readonly id: string
  /** The environment it belongs to. */
  readonly environmentId: string
  /** The caller's own identifier. */
  readonly identifier: string
  /** The bot's token; absent where none is stored. */
  readonly token: string | undefined
  /** Verifies calls of Slack; absent where none is stored. */
  readonly signingSecret: string | undefined
  /** Where Slack's API is. */
  readonly apiUrl: string
}

const slackApiUrl = 'https://slack.com/api'

/** What integrations are looked for with. */
export interface IntegrationLookUp {
  /** The session. */
  readonly db: Session
  /** Opens credentials. */
  readonly vault: Vault
}

/**
 * Returns the active integrations of Slack for agents that have an identifier, of every environment or of one.
 *
 * @param lookUp - What they are looked for with.
 * @param named - The identifier, and the environment where it is known.
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

/** Credentials that were sealed with another key count as none. */
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

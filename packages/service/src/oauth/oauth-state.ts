import { randomUUID } from 'node:crypto'
import { readText, toObject } from '../json/json.ts'
import type { Vault } from '../secrets/vault.ts'

/** The state of an OAuth flow, which the provider returns unchanged. */
export interface OAuthState {
  /** Row id of the environment. */
  readonly environmentId: string
  /** The subscriber id, chosen by the app. */
  readonly subscriberId: string
  /** Row id of the subscriber, because a later subscriber may have the same id. */
  readonly subscriberRowId: string
  /** Row id of the integration. */
  readonly integrationId: string
  /** Identifies the state. @default a random one */
  readonly id?: string
}

/** A state returned by the provider. */
export interface OpenedState extends OAuthState {
  /** Identifies the state, which can be used once. */
  readonly id: string
  /** When it expires. */
  readonly untilMs: number
}

const validMs = 15 * 60_000
const fields = ['environmentId', 'subscriberId', 'subscriberRowId', 'integrationId', 'id'] as const
/** States are not stored in a table. */
const place = { table: 'oauth state', column: 'query', key: [] } as const

/** Returns a state as authenticated text that is valid for fifteen minutes. */
export function sealState(state: OAuthState, vault: Vault, nowMs: number): string {
  const { id = randomUUID() } = state
  return vault.for('oauth-state').seal(JSON.stringify({ ...state, id, untilMs: nowMs + validMs }), place)
}

/**
 * Parses the text of a state.
 *
 * @param text - The text, as the provider returned it.
 * @returns `undefined` if this service did not create it, or it has expired.
 */
export function openState(text: string, vault: Vault, nowMs: number): OpenedState | undefined {
  try {
    const { untilMs, ...given } = toObject(JSON.parse(vault.for('oauth-state').open(text, place)))
    const [environmentId, subscriberId, subscriberRowId, integrationId, id] = fields.map((name) =>
      readText(given[name]),
    )
    if (!environmentId || !subscriberId || !subscriberRowId || !integrationId || !id || Number(untilMs) < nowMs)
      return undefined
    return { environmentId, subscriberId, subscriberRowId, integrationId, id, untilMs: Number(untilMs) }
  } catch {
    return undefined
  }
}

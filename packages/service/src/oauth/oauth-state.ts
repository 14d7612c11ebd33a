import { randomUUID } from 'node:crypto'
import { readText, toObject } from '../json/json.ts'
import type { Vault } from '../secrets/vault.ts'

/** The state that a provider's answer must come back with: for whom, and where, it was asked. */
export interface OAuthState {
  /** Row id of the environment. */
  readonly environmentId: string
  /** The caller's own identifier of the subscriber. */
  readonly subscriberId: string
  /** Row id of the subscriber: the identifier may be given to another person. */
  readonly subscriberRowId: string
  /** Row id of the integration. */
  readonly integrationId: string
  /** Distinguishes the state. @default a random one */
  readonly id?: string
}

/** A state that came back. */
export interface OpenedState extends OAuthState {
  /** Distinguishes it from every other one: it is good for one answer. */
  readonly id: string
  /** Until when it is valid. */
  readonly untilMs: number
}

const validMs = 15 * 60_000
const fields = ['environmentId', 'subscriberId', 'subscriberRowId', 'integrationId', 'id'] as const
/** It is kept by no table: it travels. */
const place = { table: 'oauth state', column: 'query', key: [] } as const

/**
 * Returns a state as text that nobody else can make, valid for fifteen minutes.
 *
 * @param state - The state.
 * @param vault - Seals it.
 * @param nowMs - The time.
 */
export function sealState(state: OAuthState, vault: Vault, nowMs: number): string {
  const { id = randomUUID() } = state
  return vault.for('oauth-state').seal(JSON.stringify({ ...state, id, untilMs: nowMs + validMs }), place)
}

/**
 * Returns the state of a text.
 *
 * @param text - The text, as it came back.
 * @param vault - Opens it.
 * @param nowMs - The time.
 * @returns `undefined` for a text that this service did not make, or made too long ago.
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

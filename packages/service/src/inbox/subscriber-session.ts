import type { EnvironmentRow } from '../store/schema/account.ts'
import type { SubscriberRow } from '../store/schema/subscriber.ts'
import type { SessionClaims } from './session-token.ts'

/** The session of a subscriber who calls from a browser. */
export interface SubscriberSession {
  readonly environment: EnvironmentRow
  readonly subscriber: SubscriberRow
  /** The hash of the secret key that signs the token; the session ends with that key. */
  readonly keyHash: string
  /** The content of the token. */
  readonly claims: SessionClaims
}

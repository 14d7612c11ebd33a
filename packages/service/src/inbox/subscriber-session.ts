import type { EnvironmentRow } from '../store/schema/account.ts'
import type { SubscriberRow } from '../store/schema/subscriber.ts'
import type { SessionClaims } from './session-token.ts'

/** The session of a subscriber who calls from a browser. */
export interface SubscriberSession {
  /** The environment. */
  readonly environment: EnvironmentRow
  /** The subscriber. */
  readonly subscriber: SubscriberRow
  /** The hash of the secret key that the token is signed under; the session ends with it. */
  readonly keyHash: string
  /** What the token says. */
  readonly claims: SessionClaims
}

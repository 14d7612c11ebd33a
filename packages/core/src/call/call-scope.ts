import type { CallInfo } from '../bridge/hooks.ts'
import type { Environment } from '../config/environment.ts'
import type { Deadline } from './deadline.ts'

/** The call an action answers. */
export interface CallScope {
  /** When the call must have been answered. */
  readonly deadline: Deadline
  /** When it arrived, milliseconds since 1970. */
  readonly nowMs: number
  /** The bridge's secrets, the first of them for calls of the REST API. */
  readonly secrets: readonly string[]
  /** The variables of the call. */
  readonly environment: Environment
  /** The call, as passed to hooks. */
  readonly info: CallInfo
}

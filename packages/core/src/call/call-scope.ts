import type { CallInfo } from '../bridge/hooks.ts'
import type { Environment } from '../config/environment.ts'
import type { Deadline } from './deadline.ts'

/** The call that an action handles. */
export interface CallScope {
  /** The deadline for responding to the call. */
  readonly deadline: Deadline
  /** When it arrived, milliseconds since 1970. */
  readonly nowMs: number
  /** The bridge's secrets; the first is used for calls to the REST API. */
  readonly secrets: readonly string[]
  /** The variables of the call. */
  readonly environment: Environment
  /** The call, as passed to hooks. */
  readonly info: CallInfo
}

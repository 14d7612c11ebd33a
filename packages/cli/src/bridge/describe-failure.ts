import { BridgeClientError, BridgeSyncError, continuesDiscovery } from '@trestle/bridge-client'
import { cleanText } from '../base/clean-text.ts'
import { errorText } from '../catalogue/error-texts.ts'
import { CommandError } from '../terminal/command-error.ts'

/** A bridge failure as text. */
export interface BridgeProblem {
  readonly code: string
  readonly message: string
  readonly why: string
  readonly fix: string
  /** Details of the bridge's own error. */
  readonly data: unknown
}

const continuing = 'Run the command again: the app still discovers its workflows. A busy machine needs more time.'

/**
 * Returns a description of a bridge failure, or undefined for any other thrown value.
 *
 * @param error - An error from a bridge client.
 */
export function describeFailure(error: unknown): BridgeProblem | undefined {
  const inner = error instanceof BridgeSyncError ? error.cause : error
  if (!(inner instanceof BridgeClientError)) return undefined
  const text = errorText(inner.code)
  const why = inner.cause?.reason ?? text?.why ?? ''
  return {
    code: inner.code,
    message: cleanText(error instanceof BridgeSyncError ? error.message : inner.message),
    why: cleanText(why),
    fix: continuesDiscovery(inner) ? continuing : (text?.fix ?? inner.cause?.fix ?? ''),
    data: inner.data,
  }
}

/** Converts a bridge failure to a command error; returns other errors unchanged. */
export function toCommandError(error: unknown): unknown {
  const problem = describeFailure(error)
  return problem ? new CommandError(problem.message, { ...problem, cause: error }) : error
}

import { CodedError, createHmac, type Hmac } from '@trestle/protocol'
import { createTimerQueue, type TimerQueue } from '../base/timer-queue.ts'
import { noteAccount } from '../trigger/account.ts'
import type { BridgeOptions } from './bridge-options.ts'
import { checkBridgeOptions } from './check-bridge-options.ts'
import { createNotices, type Notices } from './notices.ts'
import { type RegisteredWorkflow, register } from './registered-workflow.ts'
import { resolveSettings, type Settings } from './settings.ts'

/** A bridge from the inside: its settings, its workflows by id, and what is kept between calls. */
export interface Registry {
  readonly settings: Settings
  /** The workflows by id; of two with one id the first, marked as a duplicate. */
  readonly workflows: ReadonlyMap<string, RegisteredWorkflow>
  /** Messages to whoever runs the app. */
  readonly notices: Notices
  /** The waits of all calls for their deadlines. */
  readonly deadlines: TimerQueue
  /** The HMAC of this runtime. */
  readonly hmac: Hmac
  /** The answer to `discover`, once it was complete. */
  manifest: string | undefined
}

/**
 * Builds what a bridge keeps between calls, once.
 *
 * @param options - As the user gave them; they are read here and never changed.
 * @throws TypeError - An option has the wrong form.
 */
export function createRegistry(options: BridgeOptions): Registry {
  checkBridgeOptions(options)
  const workflows = new Map<string, RegisteredWorkflow>()
  for (const definition of options.workflows ?? []) {
    noteAccount(definition.options, options)
    const known = workflows.get(definition.id)
    if (known) known.duplicate = true
    else workflows.set(definition.id, register(definition))
  }
  const settings = resolveSettings(options)
  return {
    settings,
    workflows,
    deadlines: createTimerQueue(settings.timeoutMs),
    notices: createNotices(options.logger ?? console),
    hmac: createHmac(),
    manifest: undefined,
  }
}

/**
 * Finds a workflow that can be run.
 *
 * @param registry - The bridge.
 * @param workflowId - As the query named it.
 * @throws CodedError - `WorkflowNotFoundError`, `WorkflowAlreadyExistsError`.
 */
export function findWorkflow(registry: Registry, workflowId: string | undefined): RegisteredWorkflow {
  const found = workflowId === undefined ? undefined : registry.workflows.get(workflowId)
  if (!found) {
    const what = workflowId === undefined ? 'The query names no workflowId' : `There is no workflow "${workflowId}"`
    throw new CodedError('WorkflowNotFoundError', `${what} in this bridge. Discover lists the workflows it serves.`)
  }
  if (found.duplicate) throw duplicateWorkflow(found.id)
  return found
}

/**
 * The failure of a workflow that shares its id with another.
 *
 * @param workflowId - The id.
 */
export function duplicateWorkflow(workflowId: string): CodedError {
  return new CodedError('WorkflowAlreadyExistsError', `Two workflows have the id "${workflowId}". Give each its own.`, {
    data: { workflowId },
  })
}

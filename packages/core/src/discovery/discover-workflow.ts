import { CodedError, isCodedError } from '@trestle/protocol'
import { lazy } from '../base/lazy.ts'
import { toThrown } from '../base/thrown.ts'
import { type RegisteredWorkflow, schemasOf } from '../bridge/registered-workflow.ts'
import { discoverStraight } from './discover-straight.ts'
import type { Discovery } from './discovery.ts'
import { keepDiscovery, peekDiscovery } from './known-discoveries.ts'

// Most of discovery, and of no use to functions that read no data outside of their handlers.
const exploring = lazy(() => import('./explore-workflow.ts'))

const running = new WeakMap<RegisteredWorkflow, Promise<Discovery>>()

/** How a workflow is discovered. */
export interface DiscoverOptions {
  /** Whether a discovery that ran out of time is done again. @default false */
  readonly repeatsLate?: boolean
}

/**
 * Finds out which steps a workflow has. Done once per workflow; a failure is not kept, since what made the function
 * fail may be over the next time.
 *
 * @param workflow - The workflow.
 * @param options - Whether to try again what ran out of time.
 * @throws CodedError - `WorkflowDiscoveryFailedError`, `StepAlreadyExistsError`.
 */
export function discoverWorkflow(
  workflow: RegisteredWorkflow,
  { repeatsLate = false }: DiscoverOptions = {},
): Promise<Discovery> {
  const known = peekDiscovery(workflow)
  // Where the function awaits other work, each run may have an effect: not there.
  if (known && !(repeatsLate && known.isLate && known.awaitsOnlySteps)) return Promise.resolve(known)
  const begun = running.get(workflow)
  if (begun) return begun
  const found = find(workflow, known)
    .then(
      // A list that is shorter for want of time must not take the place of a longer one.
      (base) => (known && base.isLate && base.runs.length < known.runs.length ? known : keepDiscovery(workflow, base)),
      (error: unknown) => {
        throw toDiscoveryFailure(workflow.id, error)
      },
    )
    .finally(() => running.delete(workflow))
  running.set(workflow, found)
  return found
}

/**
 * Whatever fails while a workflow is discovered is the workflow's own failure: its schemas are code of the app, too.
 *
 * @param workflowId - The workflow.
 * @param error - What was thrown.
 */
export function toDiscoveryFailure(workflowId: string, error: unknown): CodedError {
  if (isCodedError(error)) return error
  const message = `Workflow "${workflowId}" could not be discovered: ${toThrown(error).message}`
  return new CodedError('WorkflowDiscoveryFailedError', message, { data: { errors: [message] }, cause: error })
}

async function find(workflow: RegisteredWorkflow, known: Discovery | undefined): Promise<Discovery> {
  await prepareSchemas(workflow)
  const straight = known ? undefined : await discoverStraight(workflow)
  if (straight) return straight
  const { exploreWorkflow } = await exploring()
  return await exploreWorkflow(workflow)
}

/**
 * Makes the JSON Schemas of a workflow.
 *
 * @param workflow - The workflow.
 * @throws CodedError - `WorkflowDiscoveryFailedError`: one of them cannot be shown; the message names the field.
 */
export async function prepareSchemas(workflow: RegisteredWorkflow): Promise<void> {
  const schemas = schemasOf(workflow)
  for (const [name, schema] of Object.entries(schemas))
    try {
      const loading = schema.prepare()
      if (loading) await loading
      schema.jsonSchema()
    } catch (error) {
      const message = `Workflow "${workflow.id}": the schema of its ${name} cannot be published. ${toThrown(error).message}`
      throw new CodedError('WorkflowDiscoveryFailedError', message, { data: { errors: [message] }, cause: error })
    }
}

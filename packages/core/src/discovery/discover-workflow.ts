import { CodedError, isCodedError } from '@trestle/protocol'
import { lazy } from '../base/lazy.ts'
import { toThrown } from '../base/thrown.ts'
import { type RegisteredWorkflow, schemasOf } from '../bridge/registered-workflow.ts'
import type { Discovery } from './discovery.ts'
import { keepDiscovery, peekDiscovery } from './known-discoveries.ts'

// Contains most of discovery. Loaded on demand, because a process that only executes steps does not need it.
const exploring = lazy(() => import('./explore-workflow.ts'))

/** A running discovery. */
export interface StartedDiscovery {
  readonly discovery: Promise<Discovery>
  /** Resolves if the function waits for anything other than steps. */
  readonly io: Promise<void>
}

const running = new WeakMap<RegisteredWorkflow, StartedDiscovery>()

/**
 * Discovers the steps of a workflow. Runs once per workflow; a failure is not cached, because its cause may be
 * temporary.
 *
 * @param workflow - The workflow to discover.
 * @throws CodedError - `WorkflowDiscoveryFailedError`, `StepAlreadyExistsError`.
 */
export async function discoverWorkflow(workflow: RegisteredWorkflow): Promise<Discovery> {
  return peekDiscovery(workflow) ?? (await startDiscovery(workflow).discovery)
}

/**
 * Starts a discovery, or joins a running one.
 *
 * @param workflow - The workflow.
 */
export function startDiscovery(workflow: RegisteredWorkflow): StartedDiscovery {
  const begun = running.get(workflow)
  if (begun) return begun
  let onIo = (): void => undefined
  const io = new Promise<void>((resolve) => {
    onIo = resolve
  })
  const discovery = find(workflow, onIo)
    .then(
      (base) => keepDiscovery(workflow, base),
      (error: unknown) => {
        throw toDiscoveryFailure(workflow.id, error)
      },
    )
    .finally(() => running.delete(workflow))
  const started = { discovery, io }
  running.set(workflow, started)
  return started
}

/**
 * Reports any error during discovery as the workflow's error, including errors in its schemas, which are app code too.
 *
 * @param workflowId - The id of the workflow.
 * @param error - The thrown value.
 */
export function toDiscoveryFailure(workflowId: string, error: unknown): CodedError {
  if (isCodedError(error)) return error
  const message = `Workflow "${workflowId}" could not be discovered: ${toThrown(error).message}`
  return new CodedError('WorkflowDiscoveryFailedError', message, { data: { errors: [message] }, cause: error })
}

async function find(workflow: RegisteredWorkflow, onIo: () => void): Promise<Discovery> {
  await prepareSchemas(workflow)
  const { exploreWorkflow } = await exploring()
  return await exploreWorkflow(workflow, onIo)
}

/**
 * Prepares the JSON Schemas of a workflow.
 *
 * @param workflow - The workflow.
 * @throws CodedError - `WorkflowDiscoveryFailedError`: a schema cannot be converted; the message names the field.
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

import { CodedError, type DiscoverReply, type ErrorCode, isCodedError, type WorkflowManifest } from '@trestle/protocol'
import type { TestContext } from '../context/test-context.ts'
import type { CallBridge } from './bridge-caller.ts'

/** The details of a failed discovery: the valid workflows, and the errors of the others. */
interface PartialDiscovery {
  readonly workflows?: readonly WorkflowManifest[]
  readonly errors?: readonly {
    readonly workflowId: string
    readonly code: ErrorCode
    readonly message: string
    readonly data: CodedError['data']
  }[]
}

/** The manifest of a workflow, and those of all workflows of its bridge that can be discovered. */
export interface WorkflowManifests {
  readonly workflow: WorkflowManifest
  readonly workflows: readonly WorkflowManifest[]
}

/**
 * Returns the manifest of a workflow, with the others. A broken workflow does not prevent tests of others.
 *
 * @throws CodedError - The workflow cannot be discovered, or does not exist.
 */
export async function findManifests(
  call: CallBridge,
  workflowId: string,
  context: TestContext,
): Promise<WorkflowManifests> {
  const { workflows = [], errors = [] } = await discover(call, context)
  const workflow = workflows.find((one) => one.workflowId === workflowId)
  if (workflow) return { workflow, workflows }
  const failed = errors.find((error) => error.workflowId === workflowId)
  if (failed) throw new CodedError(failed.code, failed.message, { data: failed.data })
  // Lets the bridge report the error.
  await call({ action: 'execute', workflowId, stepId: 'unknown' }, context)
  throw new TypeError(`The bridge runs workflow "${workflowId}" but does not discover it.`)
}

async function discover(call: CallBridge, context: TestContext): Promise<PartialDiscovery> {
  try {
    return (await call<DiscoverReply>({ action: 'discover' }, context)).body
  } catch (error) {
    if (isCodedError(error) && hasParts(error.data)) return error.data
    throw error
  }
}

function hasParts(data: unknown): data is PartialDiscovery {
  return typeof data === 'object' && data !== null && 'workflows' in data && 'errors' in data
}

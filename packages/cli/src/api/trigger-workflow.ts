import { type ApiClient, createApiClient, isApiError } from '@trestle/api-client'
import { CommandError } from '../terminal/command-error.ts'
import { nearest } from '../terminal/nearest.ts'
import { type ServiceAccess, toServiceError } from './service-access.ts'

export interface TriggerRequest {
  readonly workflowId: string
  /** The recipient: a subscriber id, or what the API takes as `to`. */
  readonly to: unknown
  /** The data of the trigger. */
  readonly payload: Readonly<Record<string, unknown>>
  /** The caller's id of the transaction; the service makes one where it is left out. */
  readonly transactionId?: string
}

/** The answer to a trigger. */
export interface Triggered {
  /** The transaction under which its runs are found. */
  readonly transactionId: string
  /** What the service did with it, such as `processed`. */
  readonly status: string
}

/**
 * Triggers a workflow through the REST API.
 *
 * @throws {CommandError} The service cannot be reached or refuses it.
 */
export async function triggerWorkflow(
  access: ServiceAccess,
  request: TriggerRequest,
  signal: AbortSignal,
): Promise<Triggered> {
  const { workflowId, to, payload, transactionId } = request
  const api = createApiClient({ secretKey: access.key, apiUrl: access.apiUrl })
  const body = { name: workflowId, to: to as string, payload, ...(transactionId !== undefined && { transactionId }) }
  try {
    const { data } = await api.events.trigger({ body }, { signal })
    const {
      transactionId: id,
      status,
      error,
    } = data as {
      transactionId?: string
      status: string
      error?: readonly string[]
    }
    if (id === undefined) throw new CommandError(`The service did not run it: ${error?.join(', ') ?? status}`)
    return { transactionId: id, status }
  } catch (error) {
    if (isApiError(error) && error.message === unknownWorkflow) throw await suggestWorkflow(api, workflowId, signal)
    throw toServiceError(error, access)
  }
}

/** The message by which the API says that the environment has no such workflow. */
const unknownWorkflow = 'workflow_not_found'
const maxNames = 10

async function suggestWorkflow(api: ApiClient, workflowId: string, signal: AbortSignal): Promise<CommandError> {
  const ids = await listWorkflowIds(api, signal).catch(() => [])
  const near = nearest(workflowId, ids)
  const shown = ids.length > maxNames ? [...ids.slice(0, maxNames), '…'] : ids
  const choice = ids.length > 0 ? `Its workflows: ${shown.join(', ')}.` : 'It has no workflows yet.'
  return new CommandError(`The environment has no workflow "${workflowId}".`, {
    code: 'ValidationFailed',
    fix: `${near === undefined ? '' : `Did you mean ${near}? `}${choice} If the bridge has changed, run trestle sync.`,
  })
}

async function listWorkflowIds(api: ApiClient, signal: AbortSignal): Promise<readonly string[]> {
  const { data } = await api.workflows.list({ query: { limit: 100 } }, { signal })
  return data.workflows.map((one) => one.workflowId)
}

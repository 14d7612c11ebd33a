import { createApiClient } from '@trestle/api-client'
import { CommandError } from '../terminal/command-error.ts'
import { type ServiceAccess, toServiceError } from './service-access.ts'

/** A trigger. */
export interface TriggerRequest {
  /** The workflow. */
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
 * @param access - The service.
 * @param request - Workflow, recipient and payload.
 * @param signal - Ends it.
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
    throw toServiceError(error, access)
  }
}

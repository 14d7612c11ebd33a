import { type ApiClient, createApiClient, isApiError, type RunRecording } from '@trestle/api-client'
import { nearest } from '@trestle/protocol'
import { CommandError } from '../terminal/command-error.ts'
import { type ServiceAccess, toServiceError } from './service-access.ts'

/** Reads past runs of an environment. */
export interface Recordings {
  /**
   * Returns the ids of the newest runs, newest first. Runs created after the first page was read are ignored.
   *
   * @throws {CommandError} The service cannot be reached, or has no such workflow.
   */
  listIds(choice: RunChoice): AsyncGenerator<string, void, undefined>
  /**
   * Returns the recording of a run; undefined if the run does not exist.
   *
   * @throws {CommandError} The service cannot be reached, or rejects the call.
   */
  read(runId: string): Promise<RunRecording | undefined>
}

/** The runs to replay. */
export interface RunChoice {
  /** The maximum number of runs. */
  readonly last: number
  /** The workflow; all if undefined. */
  readonly workflowId: string | undefined
}

const pageSize = 50

/** Creates a reader of past runs. */
export function createRecordings(access: ServiceAccess, signal: AbortSignal): Recordings {
  const api = createApiClient({ secretKey: access.key, apiUrl: access.apiUrl })
  return {
    async *listIds({ last, workflowId }) {
      try {
        const templates = workflowId === undefined ? undefined : await findRowId(api, workflowId, signal)
        const before = new Date().toISOString()
        let left = last
        for (let page = 0; left > 0; page++) {
          const query = { page, limit: pageSize, before, templates }
          const { data } = await api.notifications.list({ query }, { signal })
          for (const { _id } of data.data.slice(0, left)) yield _id
          left -= data.data.length
          if (!data.hasMore) return
        }
      } catch (error) {
        throw toServiceError(error, access)
      }
    },
    async read(notificationId) {
      try {
        return (await api.notifications.getRecording({ notificationId }, { signal })).data
      } catch (error) {
        if (isApiError(error, 'NotFound')) return undefined
        throw toServiceError(error, access)
      }
    },
  }
}

async function findRowId(api: ApiClient, workflowId: string, signal: AbortSignal): Promise<string> {
  try {
    return (await api.workflows.get({ workflowId }, { signal })).data._id
  } catch (error) {
    if (!isApiError(error, 'NotFound')) throw error
    const { data } = await api.workflows.list({ query: { limit: 100 } }, { signal })
    const ids = data.workflows.map((one) => one.workflowId)
    const near = nearest(workflowId, ids)
    throw new CommandError(`The environment has no workflow "${workflowId}".`, {
      code: 'NotFound',
      fix: `${near === undefined ? '' : `Did you mean ${near}? `}Its workflows: ${ids.slice(0, 10).join(', ') || 'none'}.`,
    })
  }
}

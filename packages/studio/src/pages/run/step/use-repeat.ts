import { useLocation } from 'wouter'
import { useSend } from '../../../session/queries.ts'
import { toast } from '../../../ui/overlay/toasts.tsx'

/** Starts a run again. */
export interface Repeat {
  /** Whether the request is in progress. */
  readonly isPending: boolean
  /**
   * Sends the request, and opens the new run.
   *
   * @param path - The path of the operation.
   * @param body - Its body, if it takes one.
   */
  send(path: string, body?: object): void
}

/** Runs the workflow of a run again, and opens the new run. */
export function useRepeat(): Repeat {
  const [, navigate] = useLocation()
  const repeat = useSend<{ transactionId?: string }>(['/v1/studio/runs'])
  return {
    isPending: repeat.isPending,
    send: (path, body) =>
      repeat.mutate(
        { method: 'POST', path, ...(body && { body }) },
        {
          onSuccess: ({ transactionId = '' }) => navigate(`/runs?transactionId=${encodeURIComponent(transactionId)}`),
          onError: (error) => toast("Couldn't run this again", { description: error.message, tone: 'bad' }),
        },
      ),
  }
}

import { CircleStop, RotateCcw } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import type { WholeRun } from '../../api/generated/resources.ts'
import { useSend } from '../../session/queries.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/overlay/toasts.tsx'

/** Cancels a run, or runs it again with the same data. */
export function RunActions({ run }: { readonly run: WholeRun }): ReactNode {
  const [, navigate] = useLocation()
  const cancel = useSend<{ canceled: boolean }>(['/v1/studio/runs'])
  const repeat = useSend<{ transactionId?: string }>(['/v1/studio/runs'])
  const path = `/v1/studio/runs/${run._id}`
  const fail = (error: Error): void => toast("Couldn't do that", { description: error.message, tone: 'bad' })

  const onCancel = (): void =>
    cancel.mutate(
      { method: 'POST', path: `${path}/cancel` },
      {
        onSuccess: ({ canceled }) => toast(canceled ? 'The pending steps are canceled' : 'No pending steps to cancel'),
        onError: fail,
      },
    )
  const onRepeat = (): void =>
    repeat.mutate(
      { method: 'POST', path: `${path}/repeat` },
      {
        onSuccess: ({ transactionId = '' }) => navigate(`/runs?transactionId=${encodeURIComponent(transactionId)}`),
        onError: fail,
      },
    )
  return (
    <>
      {run.status === 'running' && (
        <Button variant="danger" icon={<CircleStop size={15} />} busy={cancel.isPending} onClick={onCancel}>
          Cancel
        </Button>
      )}
      <Button
        variant="primary"
        icon={<RotateCcw size={15} />}
        busy={repeat.isPending}
        disabled={!run.workflowExists}
        title={run.workflowExists ? undefined : 'The workflow was deleted'}
        onClick={onRepeat}
      >
        Run again
      </Button>
    </>
  )
}

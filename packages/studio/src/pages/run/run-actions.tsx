import { CircleStop, Copy, Pencil, RotateCcw } from 'lucide-react'
import type { ReactNode } from 'react'
import type { WholeRun } from '../../api/generated/resources.ts'
import { toCurl, toTypeScript } from '../../runs/call-text.ts'
import { toTriggerBody } from '../../runs/run-call.ts'
import { useSend } from '../../session/queries.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { ActionMenu } from '../../ui/overlay/action-menu.tsx'
import { ConfirmButton } from '../../ui/overlay/confirm-button.tsx'
import { toast } from '../../ui/overlay/toasts.tsx'
import { useRepeat } from './step/use-repeat.ts'

/** Cancels a run, reruns it with the same or edited data, and copies the trigger call. */
export function RunActions({ run }: { readonly run: WholeRun }): ReactNode {
  return (
    <>
      {run.status === 'running' && <CancelButton run={run} />}
      <CopyButtons run={run} />
      {run.workflowExists && (
        <ButtonLink to={`/trigger?run=${run._id}`} icon={<Pencil size={15} />}>
          Edit and run again
        </ButtonLink>
      )}
      <RepeatButton run={run} />
    </>
  )
}

const fail =
  (title: string) =>
  (error: Error): void =>
    toast(title, { description: error.message, tone: 'bad' })

function CancelButton({ run }: { readonly run: WholeRun }): ReactNode {
  const cancel = useSend<{ canceled: boolean }>(['/v1/studio/runs'])
  const onCancel = (close: () => void): void =>
    cancel.mutate(
      { method: 'POST', path: `/v1/studio/runs/${run._id}/cancel` },
      {
        onSuccess: ({ canceled }) => {
          close()
          toast(
            canceled
              ? 'All unfinished runs of the trigger are canceled'
              : 'All runs of the trigger had already finished',
          )
        },
        onError: fail("Couldn't cancel the runs"),
      },
    )
  return (
    <ConfirmButton
      needs="edit"
      variant="danger"
      icon={<CircleStop size={15} />}
      question="Cancel the runs of this trigger?"
      consequence="All its unfinished runs are canceled, including those of other recipients."
      verb="Cancel runs"
      dismissal="Keep running"
      busy={cancel.isPending}
      onConfirm={onCancel}
    >
      Cancel
    </ConfirmButton>
  )
}

function CopyButtons({ run }: { readonly run: WholeRun }): ReactNode {
  const copy = (text: string, what: string): void =>
    void navigator.clipboard
      .writeText(text)
      .then(() => toast(`Copied as ${what}`))
      .catch(fail("Couldn't copy"))
  const apiUrl = window.location.origin
  const body = toTriggerBody(run)
  return (
    <>
      <Button icon={<Copy size={15} />} onClick={() => copy(toCurl(apiUrl, body), 'curl')}>
        Copy as curl
      </Button>
      <ActionMenu
        label="Copy more"
        icon={<Copy size={15} />}
        groups={[
          [
            { text: 'Copy as TypeScript', run: () => copy(toTypeScript(apiUrl, body), 'TypeScript') },
            { text: 'Copy payload', run: () => copy(JSON.stringify(run.payload, null, 2), 'JSON') },
          ],
        ]}
      />
    </>
  )
}

function RepeatButton({ run }: { readonly run: WholeRun }): ReactNode {
  const repeat = useRepeat()
  return (
    <Button
      needs="edit"
      variant="primary"
      icon={<RotateCcw size={15} />}
      busy={repeat.isPending}
      disabled={!run.workflowExists}
      tip={run.workflowExists ? undefined : 'The workflow no longer exists'}
      onClick={() => repeat.send(`/v1/studio/runs/${run._id}/repeat`)}
    >
      Run again
    </Button>
  )
}

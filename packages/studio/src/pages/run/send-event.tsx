import { Send } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { WholeRun, WholeStep } from '../../api/generated/resources.ts'
import type { JsonSchema } from '../../api/json-schema.ts'
import { ValueEditor } from '../../form/value-editor.tsx'
import { sampleValue } from '../../form/values/sample-value.ts'
import { useSend } from '../../session/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { toast } from '../../ui/overlay/toasts.tsx'

export interface SendEventProps {
  readonly run: WholeRun
  /** The step that waits for an event. */
  readonly step: WholeStep
}

/** Sends the event that a step waits for, with an edited payload. Only runs for the same subscriber receive it. */
export function SendEvent({ run, step }: SendEventProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const close = (): void => setOpen(false)
  return (
    <>
      <Button needs="edit" small icon={<Send size={14} />} onClick={() => setOpen(true)}>
        Send this event
      </Button>
      {isOpen && <EventDialog run={run} step={step} onClose={close} />}
    </>
  )
}

function EventDialog({ run, step, onClose }: SendEventProps & { readonly onClose: () => void }): ReactNode {
  const { event, match, schema } = toAwaited(step)
  const [payload, setPayload] = useState<unknown>(() => toFirstPayload(schema, match))
  const send = useSend(['/v1/studio/runs'])
  const body = { name: event, payload, to: run.subscriberId, ...(match && { match }) }
  const onSend = (): void =>
    send.mutate(
      { method: 'POST', path: '/v1/events/emit', body },
      {
        onSuccess: () => {
          toast('Event sent')
          onClose()
        },
        onError: (error) => toast("Couldn't send the event", { description: error.message, tone: 'bad' }),
      },
    )
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Send ${event}`}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button sends variant="primary" busy={send.isPending} onClick={onSend}>
            Send event
          </Button>
        </>
      }
    >
      <p>All runs for {run.subscriberId} that wait for this event receive it.</p>
      <ValueEditor
        schema={schema}
        value={payload}
        onChange={setPayload}
        label="the payload of the event"
        idPrefix="event"
      />
    </Dialog>
  )
}

/** The event that a step waits for. */
export interface Awaited {
  readonly event: string
  readonly match: Readonly<Record<string, unknown>> | undefined
  /** The schema of the payload. */
  readonly schema: JsonSchema | undefined
}

/** Returns the event that a step waits for, from its output. */
export function toAwaited({ outputs }: WholeStep): Awaited {
  const { event, match, schema } = outputs ?? {}
  const toObject = (value: unknown): JsonSchema | undefined =>
    typeof value === 'object' && value !== null ? (value as JsonSchema) : undefined
  return { event: String(event ?? ''), match: toObject(match), schema: toObject(schema) }
}

/** A sample for the schema, with the values that the step requires in the fields it compares. */
function toFirstPayload(schema: JsonSchema | undefined, match: Awaited['match']): unknown {
  const sample = schema ? sampleValue(schema) : {}
  const own = (schema?.['properties'] ?? {}) as object
  const fits = Object.entries(match ?? {}).filter(([name]) => !schema || Object.hasOwn(own, name))
  return typeof sample === 'object' && sample !== null ? { ...sample, ...Object.fromEntries(fits) } : sample
}

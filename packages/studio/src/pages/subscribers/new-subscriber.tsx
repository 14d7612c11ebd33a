import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { useLocation } from 'wouter'
import type { Subscriber } from '../../api/generated/resources.ts'
import { useSend } from '../../session/queries.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Failure } from '../../ui/notice.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { toPathName } from '../../ui/path-names.ts'
import style from './subscribers.module.css'

const path = '/v2/subscribers'
const fields = [
  ['subscriberId', 'Identifier', 'The id in your app, such as ada'],
  ['firstName', 'First name', undefined],
  ['lastName', 'Last name', undefined],
  ['email', 'Email', undefined],
  ['phone', 'Phone', 'With country code, such as +49 30 1234'],
  ['locale', 'Language', 'Such as en_US'],
] as const

/** The dialog for a new subscriber. */
export function NewSubscriber({ onClose }: { onClose(): void }): ReactNode {
  const id = useId()
  const [, navigate] = useLocation()
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const create = useSend<Subscriber>([path])
  const wrong = create.error?.details.fields ?? {}
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault()
    const body = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''))
    create.mutate(
      { method: 'POST', path, body, query: { failIfExists: true } },
      { onSuccess: ({ subscriberId }) => navigate(`/subscribers/${toPathName(subscriberId)}`) },
    )
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="New subscriber"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={id} variant="primary" busy={create.isPending}>
            Create
          </Button>
        </>
      }
    >
      <form id={id} className={style['form']} onSubmit={onSubmit}>
        {create.error && <Failure title="Couldn't create the subscriber" error={create.error} />}
        {fields.map(([name, label, hint]) => (
          <TextField
            key={name}
            label={label}
            required={name === 'subscriberId'}
            mono={name === 'subscriberId'}
            {...(hint !== undefined && { hint })}
            value={values[name] ?? ''}
            error={wrong[name]?.join(' ')}
            onChange={(value) => setValues({ ...values, [name]: value })}
          />
        ))}
      </form>
    </Dialog>
  )
}

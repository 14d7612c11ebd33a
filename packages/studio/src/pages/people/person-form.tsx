import { type ReactNode, useState } from 'react'
import type { Person, PersonLink } from '../../api/generated/resources.ts'
import { useSend } from '../../session/queries.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Failure } from '../../ui/notice.tsx'
import { ConfirmButton } from '../../ui/overlay/confirm-button.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import { OnceDialog } from '../../ui/overlay/once-dialog.tsx'
import { LinkText } from './link-text.tsx'
import style from './people.module.css'
import { RoleFields, type Roles } from './role-fields.tsx'

const path = '/v1/studio/people'

export interface PersonFormProps {
  /** The person to edit; undefined for a new one. */
  readonly person: Person | undefined
  onClose(): void
}

/** Invites or edits a person. */
export function PersonForm({ person, onClose }: PersonFormProps): ReactNode {
  const [email, setEmail] = useState(person?.email ?? '')
  const [name, setName] = useState(person?.name ?? '')
  const [roles, setRoles] = useState<Roles>({ role: person?.role ?? 'viewer', roles: person?.roles ?? [] })
  const [link, setLink] = useState<PersonLink | undefined>(undefined)
  const save = useSend<PersonLink>([path])
  const { fields: wrong = {} } = save.error?.details ?? {}
  const onSubmit = (): void => {
    const choices = roles.roles.map(({ environmentId, role }) => ({ environmentId, role }))
    const fields = { name, role: roles.role, roles: choices }
    if (person) save.mutate({ method: 'PATCH', path: `${path}/${person.id}`, body: fields }, { onSuccess: onClose })
    else save.mutate({ method: 'POST', path, body: { ...fields, email } }, { onSuccess: setLink })
  }
  if (link)
    return (
      <OnceDialog onClose={onClose} title="Send this link">
        <LinkText link={link} />
      </OnceDialog>
    )
  return (
    <FormDialog
      title={person ? person.email : 'Invite a person'}
      verb={person ? 'Save' : 'Create the link'}
      request={save}
      failure="Couldn't save the person"
      onSubmit={onSubmit}
      onClose={onClose}
      after={person && <PersonActions person={person} onLink={setLink} onDone={onClose} />}
    >
      {!person && (
        <TextField
          label="Email"
          type="email"
          required
          value={email}
          error={wrong['email']?.join(' ')}
          onChange={setEmail}
        />
      )}
      <TextField label="Name" value={name} error={wrong['name']?.join(' ')} onChange={setName} />
      <RoleFields value={roles} onChange={setRoles} />
    </FormDialog>
  )
}

interface PersonActionsProps {
  readonly person: Person
  onLink(link: PersonLink): void
  onDone(): void
}

function PersonActions({ person, onLink, onDone }: PersonActionsProps): ReactNode {
  const { id, email, status } = person
  const own = `${path}/${id}`
  const create = useSend<PersonLink>([path])
  const change = useSend([path])
  const failure = create.error ?? change.error
  const isDisabled = status === 'disabled'
  return (
    <div className={style['more']}>
      {failure && <Failure title="Couldn't change the account" error={failure} />}
      <div className={style['buttons']}>
        <Button
          small
          disabled={isDisabled}
          busy={create.isPending}
          onClick={() => create.mutate({ method: 'POST', path: `${own}/link` }, { onSuccess: onLink })}
        >
          {status === 'invited' ? 'New invitation link' : 'Link to set a password'}
        </Button>
        <Button
          small
          busy={change.isPending}
          onClick={() =>
            change.mutate({ method: 'PATCH', path: own, body: { disabled: !isDisabled } }, { onSuccess: onDone })
          }
        >
          {isDisabled ? 'Enable' : 'Disable'}
        </Button>
        <ConfirmButton
          small
          variant="danger"
          question={`Delete ${email}?`}
          consequence="The account and its sessions are deleted. Its entries in the audit log stay."
          verb="Delete"
          busy={change.isPending}
          onConfirm={() => change.mutate({ method: 'DELETE', path: own }, { onSuccess: onDone })}
        >
          Delete
        </ConfirmButton>
      </div>
    </div>
  )
}

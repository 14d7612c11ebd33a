import { Pencil, UserPlus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Person } from '../../api/generated/resources.ts'
import { useRead } from '../../session/queries.ts'
import { useSession } from '../../session/session.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { LoadedPanel } from '../../ui/data/loaded-panel.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Page } from '../../ui/page.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import style from './people.module.css'
import { PersonForm } from './person-form.tsx'

const path = '/v1/studio/people'

const tones: Readonly<Record<Person['status'], Tone>> = { invited: 'accent', active: 'good', disabled: 'neutral' }

/** Lists the people who can use the studio; invites and edits them. */
export function PeoplePage(): ReactNode {
  const { account } = useSession()
  const [edited, edit] = useState<Person | 'new' | undefined>(undefined)
  const read = useRead<readonly Person[]>(path)
  return (
    <Page
      title="People"
      lead="Accounts of the studio, with a role in each environment."
      actions={
        <Button
          variant="primary"
          icon={<UserPlus size={15} />}
          disabled={!account?.managesPeople}
          onClick={() => edit('new')}
        >
          Invite
        </Button>
      }
    >
      <LoadedPanel what="the people" read={read} rows={4}>
        {(people) => (
          <Table label="People" columns={columnsOf(account?.id, edit)} rows={people} keyOf={({ id }) => id} />
        )}
      </LoadedPanel>
      {edited !== undefined && (
        <PersonForm person={edited === 'new' ? undefined : edited} onClose={() => edit(undefined)} />
      )}
    </Page>
  )
}

function Status({ status }: Pick<Person, 'status'>): ReactNode {
  return (
    <Badge dot tone={tones[status]}>
      {status}
    </Badge>
  )
}

function columnsOf(ownId: string | undefined, edit: (person: Person) => void): readonly Column<Person>[] {
  return [
    {
      key: 'name',
      title: 'Person',
      show: ({ id, name, email }) => (
        <span className={style['person']}>
          <span className={style['name']}>
            <strong>{name || email}</strong>
            {id === ownId && <Badge>You</Badge>}
          </span>
          {name !== '' && <span className={style['email']}>{email}</span>}
        </span>
      ),
    },
    { key: 'status', title: 'Status', wideOnly: true, show: Status },
    {
      key: 'role',
      title: 'Role',
      show: (person) => (
        <span className={style['roles']}>
          <span>{person.role}</span>
          {person.roles.map(({ environmentId, environment, role }) => (
            <span key={environmentId} className={style['email']}>
              {role} in {environment}
            </span>
          ))}
          <span className={style['onPhone']}>
            <Status {...person} />
          </span>
        </span>
      ),
    },
    {
      key: 'at',
      title: 'Signed in',
      wideOnly: true,
      show: ({ signedInAt }) => (signedInAt === null ? 'Never' : <TimeText at={signedInAt} />),
    },
    {
      key: 'tools',
      title: 'Actions',
      end: true,
      show: (person) =>
        person.id !== ownId && (
          <Button
            small
            variant="quiet"
            aria-label={`Change ${person.email}`}
            icon={<Pencil size={14} />}
            onClick={() => edit(person)}
          />
        ),
    },
  ]
}

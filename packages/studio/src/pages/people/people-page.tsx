import { Pencil, UserPlus, UsersRound } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Person } from '../../api/generated/resources.ts'
import { ResourceList } from '../../resource/resource-list.tsx'
import { SearchBox } from '../../resource/search-box.tsx'
import { useCursorList } from '../../resource/use-list.tsx'
import { useAddress } from '../../session/address.ts'
import { useSession } from '../../session/session.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import type { Column } from '../../ui/data/table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import style from './people.module.css'
import { PersonForm } from './person-form.tsx'

const path = '/v1/studio/people'

const tones: Readonly<Record<Person['status'], Tone>> = { invited: 'accent', active: 'good', disabled: 'neutral' }

/** Lists the people who can use the studio; invites and edits them. */
export function PeoplePage(): ReactNode {
  const { account } = useSession()
  const [edited, edit] = useState<Person | 'new' | undefined>(undefined)
  const search = useAddress().get('search')
  const list = useCursorList<Person>(path, ['person', 'people'], { search, orderBy: 'email', orderDirection: 'ASC' })
  return (
    <ResourceList
      title="People"
      lead="Accounts of the studio, with a role in each environment."
      list={list}
      columns={columnsOf(account?.id, edit)}
      keyOf={({ id }) => id}
      filters={<SearchBox label="Search people" placeholder="Part of the name or email" />}
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
      empty={
        <Empty icon={<UsersRound size={20} />} title="No matching people">
          No name or email contains this text.
        </Empty>
      }
    >
      {edited !== undefined && (
        <PersonForm person={edited === 'new' ? undefined : edited} onClose={() => edit(undefined)} />
      )}
    </ResourceList>
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

import type { ReactNode } from 'react'
import type { Person } from '../../api/generated/resources.ts'
import { roles as allRoles } from '../../base/access.tsx'
import { useSession } from '../../session/session.tsx'
import { SelectField } from '../../ui/fields/select-field.tsx'
import style from './people.module.css'

export type Roles = Pick<Person, 'role' | 'roles'>

type RoleName = Person['role']

const options = ['none', ...allRoles].map((value) => ({ value, text: value }))
const same = { value: '', text: 'as in all environments' }

export interface RoleFieldsProps {
  readonly value: Roles
  onChange(value: Roles): void
}

/** Selects a role for all environments, and roles for individual environments. */
export function RoleFields({ value, onChange }: RoleFieldsProps): ReactNode {
  const { environments } = useSession()
  const choose = (environmentId: string, environment: string, role: string): void => {
    const others = value.roles.filter((one) => one.environmentId !== environmentId)
    const roles = role === '' ? others : [...others, { environmentId, environment, role: role as RoleName }]
    onChange({ ...value, roles })
  }
  return (
    <div className={style['form']}>
      <SelectField
        label="Role in all environments"
        value={value.role}
        options={options}
        onChange={(role) => onChange({ ...value, role: role as RoleName })}
      />
      {environments.map(({ id, name }) => (
        <SelectField
          key={id}
          label={`Role in ${name}`}
          value={value.roles.find(({ environmentId }) => environmentId === id)?.role ?? ''}
          options={[same, ...options]}
          onChange={(role) => choose(id, name, role)}
        />
      ))}
    </div>
  )
}

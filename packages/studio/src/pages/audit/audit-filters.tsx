import { type FormEvent, type ReactNode, useState } from 'react'
import type { AuditEntry } from '../../api/generated/resources.ts'
import { ownEntry } from '../../base/own-entry.ts'
import type { AddressState } from '../../session/address.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import style from './audit.module.css'

const dayMs = 24 * 60 * 60_000
const ranges: Readonly<Record<string, { readonly text: string; readonly days: number }>> = {
  day: { text: 'Last 24 hours', days: 1 },
  week: { text: 'Last 7 days', days: 7 },
  month: { text: 'Last 30 days', days: 30 },
}

/** Returns the start of a range, rounded to the minute, so that it stays the same while the page is shown. */
export function rangeStart(range: string | undefined): string | undefined {
  const matchingRange = ownEntry(ranges, range ?? '')
  if (!matchingRange) return undefined
  return new Date(Math.floor((Date.now() - matchingRange.days * dayMs) / 60_000) * 60_000).toISOString()
}

export interface AuditFiltersProps {
  readonly address: AddressState
  /** Whether to include account entries. */
  readonly hasAccounts: boolean
}

/** The labels of outcomes. */
export const outcomeTexts: Readonly<Record<AuditEntry['outcome'], string>> = {
  done: 'Done',
  refused: 'Rejected',
  failed: 'Failed',
  started: 'Started',
}

const texts = [
  ['actor', 'Person', 'Email'],
  ['operation', 'Operation', 'Such as topics.create'],
  ['subject', 'Subject', 'Name or identifier'],
] as const

/** The filters of the audit log. */
export function AuditFilters({ address, hasAccounts }: AuditFiltersProps): ReactNode {
  const [typed, setTyped] = useState<Readonly<Record<string, string | undefined>>>({})
  const textOf = (name: string): string => typed[name] ?? address.get(name) ?? ''
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    address.choose(Object.fromEntries(texts.map(([name]) => [name, textOf(name).trim()])))
  }
  return (
    <search aria-label="Audit log">
      <form className={style['filters']} onSubmit={submit}>
        {texts.map(([name, label, placeholder]) => (
          <TextField
            key={name}
            label={label}
            placeholder={placeholder}
            value={textOf(name)}
            onChange={(value) => setTyped({ ...typed, [name]: value })}
          />
        ))}
        <SelectField
          label="Outcome"
          value={address.get('outcome') ?? ''}
          options={[
            { value: '', text: 'All' },
            ...Object.entries(outcomeTexts).map(([value, text]) => ({ value, text })),
          ]}
          onChange={(outcome) => address.choose({ outcome })}
        />
        <SelectField
          label="Time"
          value={address.get('range') ?? ''}
          options={[
            { value: '', text: 'Any time' },
            ...Object.entries(ranges).map(([value, { text }]) => ({ value, text })),
          ]}
          onChange={(range) => address.choose({ range })}
        />
        {hasAccounts && (
          <SelectField
            label="Entries of"
            value={address.get('scope') ?? ''}
            options={[
              { value: '', text: 'Both' },
              { value: 'environment', text: 'Environment' },
              { value: 'accounts', text: 'Accounts' },
            ]}
            onChange={(scope) => address.choose({ scope })}
          />
        )}
        <Button type="submit">Filter</Button>
      </form>
    </search>
  )
}

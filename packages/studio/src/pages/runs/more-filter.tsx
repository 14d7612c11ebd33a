import { type ReactNode, useState } from 'react'
import { listErrorTexts } from '../../errors/error-texts.ts'
import { useTopicSuggestions } from '../../resource/suggestions.ts'
import { Button } from '../../ui/button.tsx'
import { SuggestField } from '../../ui/fields/suggest-field.tsx'
import style from './run-filters.module.css'
import type { MoreFilterName } from './run-query.ts'

const maxSuggestions = 8

export interface MoreFilterProps {
  readonly name: MoreFilterName
  /** Its name for people. */
  readonly label: string
  /** Receives the value. */
  onChoose(value: string): void
  /** Called when no value is wanted. */
  onCancel(): void
}

/** Asks for the value of a filter; topics and error codes are suggested. */
export default function MoreFilter({ name, label, onChoose, onCancel }: MoreFilterProps): ReactNode {
  const [typed, type] = useState('')
  const topics = useTopicSuggestions(typed, name === 'topicKey')
  const value = typed.trim()
  return (
    <form
      className={style['more']}
      onSubmit={(event) => {
        event.preventDefault()
        if (value !== '') onChoose(value)
      }}
    >
      <SuggestField
        label={label}
        hideLabel
        autoFocus
        placeholder={label}
        value={typed}
        onChange={type}
        onPick={onChoose}
        suggestions={name === 'topicKey' ? topics : errorSuggestions(value)}
      />
      <Button type="submit" disabled={value === ''}>
        Apply
      </Button>
      <Button variant="quiet" onClick={onCancel}>
        Cancel
      </Button>
    </form>
  )
}

/** Several components can report the same code. */
function errorSuggestions(typed: string): readonly { readonly value: string }[] {
  const codes = new Set(listErrorTexts().map(({ code }) => code))
  const matchingCodes = [...codes].filter((code) => code.toLowerCase().includes(typed.toLowerCase()))
  return matchingCodes.slice(0, maxSuggestions).map((value) => ({ value }))
}

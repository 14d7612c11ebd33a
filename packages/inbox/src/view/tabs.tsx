import type { KeyboardEvent, ReactElement } from 'react'
import { useInboxContext } from './base/provider.tsx'

/** The available lists. */
export const tabs = {
  all: { archived: false, snoozed: false },
  unread: { read: false, archived: false, snoozed: false },
  snoozed: { archived: false, snoozed: true },
  archived: { archived: true },
} as const

/** Name of a list. */
export type TabName = keyof typeof tabs

const names = Object.keys(tabs) as TabName[]

interface TabsProps {
  readonly selected: TabName
  /** Prefix of tab ids. */
  readonly id: string
  onSelect(name: TabName): void
}

/** Shows the tabs, with the selected list marked. */
export function Tabs({ selected, id, onSelect }: TabsProps): ReactElement {
  const { texts } = useInboxContext()
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const step = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1
    const index = names.indexOf(selected)
    const to = { ArrowRight: index + step, ArrowLeft: index - step, Home: 0, End: -1 }[event.key]
    const next = to === undefined ? undefined : names.at(to % names.length)
    if (!next) return
    event.preventDefault()
    onSelect(next)
    event.currentTarget.querySelector<HTMLElement>(`[data-tab=${next}]`)?.focus()
  }
  return (
    <div className="trestle-tabs" role="tablist" aria-label={texts.show} onKeyDown={onKeyDown} tabIndex={-1}>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`${id}${name}`}
          data-tab={name}
          className="trestle-tab"
          aria-selected={name === selected}
          aria-controls={`${id}panel`}
          tabIndex={name === selected ? 0 : -1}
          onClick={() => onSelect(name)}
        >
          {texts[name]}
        </button>
      ))}
    </div>
  )
}

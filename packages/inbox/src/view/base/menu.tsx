import { type KeyboardEvent, type ReactElement, useId, useRef, useState } from 'react'
import { Floating } from './floating.tsx'
import { Icon, type IconName } from './icon.tsx'

/** An entry of a menu. */
export interface MenuItem {
  readonly label: string
  readonly icon?: IconName
  /** A text at the end of the entry. */
  readonly hint?: string
  /** The name of the group that starts with this entry. */
  readonly group?: string
  readonly isDanger?: boolean
  run(): void
}

interface MenuProps {
  /** The name of the button and of the menu. */
  readonly label: string
  /** Returns the entries; called when the menu is opened. */
  readonly items: () => readonly MenuItem[]
  readonly tabIndex?: number
}

/** Shows a button that opens a menu. */
export function Menu({ label, items, tabIndex }: MenuProps): ReactElement {
  const [entries, setEntries] = useState<readonly MenuItem[]>()
  const root = useRef<HTMLSpanElement>(null)
  const anchor = useRef<HTMLButtonElement>(null)
  const isOpen = entries !== undefined
  const all = (): HTMLElement[] => [...(root.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
  const close = (): void => {
    setEntries(undefined)
    anchor.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isOpen) return
    // Key events in an open menu must not reach the surrounding list.
    event.stopPropagation()
    if (event.key === 'Escape') close()
    if (event.key === 'Tab') setEntries(undefined)
    const list = all()
    const index = list.indexOf(event.target as HTMLElement)
    const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 }[event.key]
    if (next === undefined) return
    event.preventDefault()
    list.at(next % list.length)?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the menu inside
    <span className="trestle-menu-root" ref={root} onKeyDown={onKeyDown} data-open={isOpen}>
      <button
        type="button"
        className="trestle-tool"
        ref={anchor}
        tabIndex={tabIndex}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setEntries(isOpen ? undefined : items())}
      >
        <Icon name="more" />
      </button>
      {entries && (
        <Floating
          anchor={anchor}
          className="trestle-menu"
          role="menu"
          label={label}
          onLeave={() => setEntries(undefined)}
        >
          <MenuItems items={entries} close={close} />
        </Floating>
      )}
    </span>
  )
}

/** Shows the entries by group. */
function MenuItems({ items, close }: { readonly items: readonly MenuItem[]; close(): void }): ReactElement {
  const id = useId()
  const groups: { name: string | undefined; items: MenuItem[] }[] = []
  for (const item of items) {
    const last = groups.at(-1)
    if (!last || last.name !== item.group) groups.push({ name: item.group, items: [item] })
    else last.items.push(item)
  }
  return (
    <>
      {groups.map((group, index) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of a menu has no element
        <div key={group.items[0]?.label} role="group" aria-labelledby={group.name && `${id}${index}`}>
          {group.name && (
            <p className="trestle-menu-title" id={`${id}${index}`}>
              {group.name}
            </p>
          )}
          {group.items.map(({ label, icon, hint, isDanger, run }) => (
            <button
              key={label}
              type="button"
              role="menuitem"
              className="trestle-menu-item"
              tabIndex={-1}
              data-danger={isDanger}
              onClick={() => {
                close()
                run()
              }}
            >
              {icon && <Icon name={icon} />}
              <span className="trestle-grow">{label}</span>
              {hint && <span className="trestle-hint">{hint}</span>}
            </button>
          ))}
        </div>
      ))}
    </>
  )
}

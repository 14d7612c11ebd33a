import { useEffect, useState } from 'react'
import { readStored, store } from '../session/storage.ts'

/** The dialogs that shortcuts open. */
export type Opened = 'palette' | 'help' | undefined

/** A shortcut listed in the help. */
export interface Shortcut {
  readonly keys: readonly string[]
  /** What the shortcut does. */
  readonly text: string
}

/** The name of the platform's command key. */
export const commandKey: string = /Mac|iP(hone|ad)/.test(navigator.userAgent) ? '⌘' : 'Ctrl'

/** All shortcuts. */
export const shortcuts: readonly Shortcut[] = [
  { keys: [commandKey, 'K'], text: 'Search everything' },
  { keys: ['/'], text: 'Go to the page search' },
  { keys: ['J'], text: 'Next row in a list' },
  { keys: ['K'], text: 'Previous row in a list' },
  { keys: ['↑', '↓'], text: 'Move between rows' },
  { keys: ['Enter'], text: 'Open the row' },
  { keys: ['Esc'], text: 'Close the details of a step' },
  { keys: ['?'], text: 'Show the shortcuts' },
]

const entry = 'trestle.single-keys'
const rowLinks =
  'main tbody tr td:first-child a, main ul[aria-label="Messages"] > li > a, main [data-rows] button[data-row]'

/**
 * Returns whether single-key shortcuts are enabled, and a function that changes it. Single-key shortcuts interfere with
 * speech input.
 */
export function useSingleKeys(): readonly [boolean, (on: boolean) => void] {
  const [on, setOn] = useState(() => readStored(entry) !== 'off')
  return [
    on,
    (next) => {
      store(entry, next ? undefined : 'off')
      setOn(next)
    },
  ]
}

/** Handles the studio's shortcuts, and tracks which dialog is open. */
export function useShortcuts(): readonly [Opened, (opened: Opened) => void] {
  const [opened, open] = useState<Opened>()
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented) return
      if (event.key.toLowerCase() === 'k' && isCommand(event)) {
        event.preventDefault()
        open((now) => (now === 'palette' ? undefined : 'palette'))
      } else if (isFree(event) && act(event.key, open)) event.preventDefault()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
  return [opened, open]
}

/** Returns whether only the command key is pressed. On a Mac, Control+K deletes the rest of a line. */
function isCommand({ metaKey, ctrlKey, shiftKey, altKey }: KeyboardEvent): boolean {
  const [command, other] = commandKey === 'Ctrl' ? [ctrlKey, metaKey] : [metaKey, ctrlKey]
  return command && !other && !shiftKey && !altKey
}

/** Returns whether a key press occurs outside text fields, menus and dialogs. */
function isFree({ target, metaKey, ctrlKey, altKey }: KeyboardEvent): boolean {
  if (metaKey || ctrlKey || altKey || !(target instanceof HTMLElement)) return false
  const typing = 'input, textarea, select, [contenteditable="true"], [role="menu"], [role="dialog"], [role="listbox"]'
  return target.closest(typing) === null && document.querySelector('[role="dialog"]') === null
}

function act(key: string, open: (opened: Opened) => void): boolean {
  if (key === 'ArrowDown' || key === 'ArrowUp') return move(key === 'ArrowDown' ? 1 : -1, true)
  if (readStored(entry) === 'off') return false
  if (key === 'j' || key === 'k') return move(key === 'j' ? 1 : -1, false)
  if (key === '?') open('help')
  else if (key === '/') {
    const field = document.querySelector<HTMLElement>('main input[type="search"]')
    if (field) field.focus()
    else open('palette')
  } else return false
  return true
}

/** Arrow keys scroll the page unless a row has focus. */
function move(by: 1 | -1, onlyFromRow: boolean): boolean {
  const active = document.activeElement
  // On a page with several lists, each list is marked.
  const list = active?.closest('[data-rows]') ?? document.querySelector('main [data-rows]') ?? document
  const links = [...list.querySelectorAll<HTMLElement>(rowLinks)]
  const focused = links.indexOf(active as HTMLElement)
  const at = focused === -1 && !onlyFromRow ? links.findIndex((link) => link.ariaCurrent === 'true') : focused
  if (links.length === 0 || (onlyFromRow && at === -1)) return false
  const next = at === -1 ? links[0] : links[at + by]
  next?.focus()
  return next !== undefined
}

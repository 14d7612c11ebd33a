import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import type { InboxNotification } from '../../wire/resources.ts'

/** Keyboard navigation in a list: one row can be reached with Tab; the arrow keys, Home and End move between rows. */
export interface RowFocus {
  /** The row that can be reached with Tab. */
  readonly activeId: string | undefined
  onFocus(event: { readonly target: EventTarget }): void
  onKeyDown(event: KeyboardEvent): void
}

const rowOf = (target: EventTarget): HTMLElement | null => (target as Element).closest<HTMLElement>('li[data-id]')

/** Returns the row with focus, in a page or a shadow root. */
function findFocusedRow(box: HTMLElement | null): HTMLElement | null {
  if (!box) return null
  const { activeElement } = box.getRootNode() as Document | ShadowRoot
  return activeElement && box.contains(activeElement) ? rowOf(activeElement) : null
}

/**
 * Tracks focus in a list. If the focused row is removed, the next one is focused; focus elsewhere in the page stays.
 *
 * @param box - The element that contains the rows.
 * @param items - The messages of the rows.
 */
export function useRowFocus(box: RefObject<HTMLElement | null>, items: readonly InboxNotification[]): RowFocus {
  const [focusedId, setFocusedId] = useState<string>()
  const index = useRef(-1)
  const rows = (): HTMLElement[] => [...(box.current?.querySelectorAll<HTMLElement>('li[data-id]') ?? [])]
  const focus = (row: HTMLElement | undefined): void => row?.querySelector<HTMLElement>('.trestle-main')?.focus()
  const isThere = items.some(({ id }) => id === focusedId)
  const activeId = isThere ? focusedId : items[Math.min(Math.max(0, index.current), items.length - 1)]?.id
  // Read before the rows change, because a removed row no longer has focus.
  const focusedRow = findFocusedRow(box.current)
  useLayoutEffect(() => {
    const place = items.findIndex(({ id }) => id === focusedId)
    if (place >= 0) {
      index.current = place
      return
    }
    if (focusedId === undefined) return
    setFocusedId(activeId)
    if (!focusedRow || focusedRow.isConnected) return
    const next = rows()[Math.min(index.current, items.length - 1)]
    if (next) focus(next)
    else box.current?.focus()
  })
  return {
    activeId,
    onFocus: ({ target }) => setFocusedId(rowOf(target)?.dataset['id']),
    onKeyDown(event) {
      const row = rowOf(event.target)
      if (!row || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
      const all = rows()
      const from = all.indexOf(row)
      const to = { ArrowDown: from + 1, ArrowUp: from - 1, Home: 0, End: all.length - 1 }[event.key]
      if (to === undefined) return
      event.preventDefault()
      focus(all[to])
    },
  }
}

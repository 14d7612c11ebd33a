import { type RefObject, useEffect, useRef } from 'react'
import type { NotificationList } from '../../store/notification-list.ts'

/** Closer to the top than this, the list counts as not scrolled, in pixels. */
const topPx = 8

/** Handlers for a list that someone is reading. */
export interface Reading {
  /** Called after the list was scrolled. */
  update(): void
  /** Listeners of the element around the list and the button for new messages. */
  readonly listeners: ReadingListeners
}

interface ReadingListeners {
  onPointerEnter(event: { readonly pointerType: string }): void
  onPointerLeave(): void
  onFocus(): void
  onBlur(event: { readonly currentTarget: Element; readonly relatedTarget: EventTarget | null }): void
}

/**
 * Holds new messages back while someone reads: while the list is scrolled, hovered or focused. Visible messages do not
 * move.
 */
export function useReading(list: NotificationList | undefined, box: RefObject<HTMLElement | null>): Reading {
  const state = useRef({ isOver: false, isFocused: false })
  useEffect(() => {
    if (state.current.isOver || state.current.isFocused) list?.hold()
    // A hidden list follows new messages again.
    return () => list?.showNew()
  }, [list])
  const update = (change: Partial<{ isOver: boolean; isFocused: boolean }>): void => {
    Object.assign(state.current, change)
    const { isOver, isFocused } = state.current
    if (isOver || isFocused || (box.current?.scrollTop ?? 0) > topPx) list?.hold()
    else list?.showNew()
  }
  return {
    update: () => update({}),
    listeners: {
      // Touch has no position between two touches.
      onPointerEnter: ({ pointerType }) => update({ isOver: pointerType !== 'touch' }),
      onPointerLeave: () => update({ isOver: false }),
      onFocus: () => update({ isFocused: true }),
      onBlur: ({ currentTarget, relatedTarget }) =>
        update({ isFocused: currentTarget.contains(relatedTarget as Node | null) }),
    },
  }
}

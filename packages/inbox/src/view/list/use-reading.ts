import { type RefObject, useEffect, useRef } from 'react'
import type { NotificationList } from '../../store/notification-list.ts'

/** The maximum distance from the top at which a list counts as not scrolled, in pixels. */
const topPx = 8

/** Handlers for a list that someone is reading. */
export interface Reading {
  /** Checks the scroll position; called after the list was scrolled. */
  update(): void
  /** Event listeners for the element around the list and the button for new messages. */
  readonly listeners: ReadingListeners
}

interface ReadingListeners {
  onPointerEnter(event: { readonly pointerType: string }): void
  onPointerLeave(): void
  onFocus(): void
  onBlur(event: { readonly currentTarget: Element; readonly relatedTarget: EventTarget | null }): void
}

/**
 * Holds back new messages while someone is reading: while the list is scrolled, hovered or focused. Displayed messages
 * do not move.
 */
export function useReading(list: NotificationList | undefined, box: RefObject<HTMLElement | null>): Reading {
  const state = useRef({ isOver: false, isFocused: false })
  useEffect(() => {
    if (state.current.isOver || state.current.isFocused) list?.hold()
    // Once hidden, the list shows new messages immediately again.
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
      // On touch devices, there is no pointer position between two touches.
      onPointerEnter: ({ pointerType }) => update({ isOver: pointerType !== 'touch' }),
      onPointerLeave: () => update({ isOver: false }),
      onFocus: () => update({ isFocused: true }),
      onBlur: ({ currentTarget, relatedTarget }) =>
        update({ isFocused: currentTarget.contains(relatedTarget as Node | null) }),
    },
  }
}

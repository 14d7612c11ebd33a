import { type ReactElement, type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'

interface FloatingProps {
  /** The element next to which the panel is displayed. */
  readonly anchor: RefObject<HTMLElement | null>
  readonly className: string
  readonly role: 'dialog' | 'menu'
  readonly label: string
  /** Called if the user presses outside the panel and its anchor. */
  readonly onLeave: () => void
  readonly children: ReactNode
}

const gapPx = 6
const marginPx = 8

/**
 * Shows a panel on top of the page, below or above its anchor, depending on the available space. Focuses its first
 * entry, or the panel itself.
 */
export function Floating({ anchor, className, role, label, onLeave, children }: FloatingProps): ReactElement {
  const panel = useRef<HTMLDivElement>(null)
  const leave = useRef(onLeave)
  leave.current = onLeave
  useLayoutEffect(() => {
    const element = panel.current
    if (!element) return
    const move = (): void => {
      if (anchor.current) place(element, anchor.current)
    }
    const onPress = (event: Event): void => {
      const path = event.composedPath()
      if (!path.includes(element) && !(anchor.current && path.includes(anchor.current))) leave.current()
    }
    // Browsers without popover support show it in the page flow.
    if (!element.matches(':popover-open')) element.showPopover?.()
    move()
    const first = element.querySelector<HTMLElement>('[role=menuitem]') ?? element
    first.focus({ preventScroll: true })
    // Scrolling the page moves the anchor.
    const options = { capture: true, passive: true } as const
    addEventListener('resize', move)
    addEventListener('scroll', move, options)
    document.addEventListener('pointerdown', onPress)
    return () => {
      removeEventListener('resize', move)
      removeEventListener('scroll', move, options)
      document.removeEventListener('pointerdown', onPress)
    }
  }, [anchor])
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles have names
    <div ref={panel} popover="manual" className={className} role={role} aria-label={label} tabIndex={-1}>
      {children}
    </div>
  )
}

function place(panel: HTMLElement, anchor: HTMLElement): void {
  const { left, right, top, bottom } = anchor.getBoundingClientRect()
  const { clientWidth: width, clientHeight: height } = document.documentElement
  const below = height - bottom - gapPx - marginPx
  const above = top - gapPx - marginPx
  const set = (name: string, px: number): void => panel.style.setProperty(`--trestle-${name}`, `${px}px`)
  set('room', height)
  const isBelow = panel.offsetHeight <= below || below >= above
  set('room', Math.max(160, isBelow ? below : above))
  const isRightToLeft = getComputedStyle(panel).direction === 'rtl'
  const wanted = isRightToLeft ? left : right - panel.offsetWidth
  set('left', Math.max(marginPx, Math.min(wanted, width - panel.offsetWidth - marginPx)))
  set('top', isBelow ? bottom + gapPx : Math.max(marginPx, top - gapPx - panel.offsetHeight))
}

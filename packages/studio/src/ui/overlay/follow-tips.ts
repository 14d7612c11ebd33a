/** The element whose tooltip is shown, and its text. */
export interface ShownTip {
  readonly anchor: Element
  readonly text: string
}

const attribute = 'data-tip'
const restMs = 450
/** After a tooltip, the next one appears immediately for this long. */
const warmMs = 400

/**
 * Follows the pointer and the keyboard focus on a page, and reports which `data-tip` attribute to show. Resting the
 * pointer, focusing with the keyboard, or pressing for a moment on a touch screen shows a text; Escape, a click or
 * scrolling hides it.
 *
 * @param show - Receives the tooltip to show; undefined to hide it.
 * @returns A function that stops it.
 */
export function followTips(show: (tip: ShownTip | undefined) => void): () => void {
  const end = new AbortController()
  let current: Element | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let isShown = false
  let hiddenAtMs = Number.NEGATIVE_INFINITY
  const hide = (): void => {
    clearTimeout(timer)
    if (isShown) hiddenAtMs = performance.now()
    isShown = false
    current = undefined
    show(undefined)
  }
  const open = (anchor: Element, afterMs: number): void => {
    if (anchor === current) return
    hide()
    current = anchor
    timer = setTimeout(() => {
      const text = anchor.getAttribute(attribute)
      if (text === null || !anchor.isConnected) return
      isShown = true
      show({ anchor, text })
    }, afterMs)
  }
  const listen = <K extends keyof DocumentEventMap>(type: K, hear: (event: DocumentEventMap[K]) => void): void =>
    document.addEventListener(type, hear, { capture: true, passive: true, signal: end.signal })
  listen('pointerover', ({ target, pointerType }) => {
    const anchor = anchorOf(target)
    if (pointerType === 'touch') return
    if (anchor) open(anchor, performance.now() - hiddenAtMs < warmMs ? 0 : restMs)
    else hide()
  })
  listen('pointerdown', ({ target, pointerType }) => {
    hide()
    const anchor = anchorOf(target)
    if (pointerType === 'touch' && anchor) open(anchor, restMs)
  })
  listen('pointerup', ({ pointerType }) => pointerType === 'touch' && !isShown && hide())
  listen('focusin', ({ target }) => {
    const anchor = target instanceof Element && target.matches(`[${attribute}]:focus-visible`) ? target : undefined
    if (anchor) open(anchor, 0)
  })
  listen('focusout', hide)
  listen('keydown', ({ key }) => key === 'Escape' && hide())
  listen('scroll', hide)
  return () => {
    hide()
    end.abort()
  }
}

function anchorOf(target: EventTarget | null): Element | undefined {
  return (target instanceof Element && target.closest(`[${attribute}]`)) || undefined
}

import { useEffect } from 'react'

/** The last focused element. */
interface FocusPosition {
  readonly control: Element
  /** Its ancestors, innermost first. */
  readonly ancestors: readonly Element[]
  /** Its index among the controls of its list item. */
  readonly ordinal: number
  /** The adjacent item, set once the element's own item was removed. */
  adjacent?: Element | undefined
}

const controls = 'a[href], button, input, select, textarea, [tabindex]:not([tabindex="-1"])'
const lists = 'ul, ol, tbody'
const items = 'li, tr'
/** The element that labels it. */
const named = 'fieldset, li, [aria-label], [aria-labelledby]'
const headed = 'section, header, main'

/**
 * Restores focus near its last position when the focused control is removed, such as the buttons of an answered
 * question. Otherwise, the browser would move it to the top of the page.
 */
export function useFocusRestore(): void {
  useEffect(watchFocus, [])
}

function watchFocus(): () => void {
  // Searches the page, or a dialog above it.
  let inPage: FocusPosition | undefined
  let latest: Element | undefined
  const note = ({ target }: FocusEvent): void => {
    if (!(target instanceof Element)) return
    latest = target
    if (target.closest('main')) inPage = toFocusPosition(target)
  }
  const forget = ({ target }: FocusEvent): void =>
    queueMicrotask(() => {
      // A click on the background removes focus from a control that remains.
      if (target === latest && latest?.isConnected && isFocusLost()) latest = inPage = undefined
    })
  const watcher = new MutationObserver((changes) => {
    if (inPage && !inPage.control.isConnected) rememberAdjacent(inPage, changes)
    if (!latest || latest.isConnected || !isFocusLost()) return
    focus((inPage && findNextFocus(inPage)) ?? document.querySelector('main'))
  })
  document.addEventListener('focusin', note)
  document.addEventListener('focusout', forget)
  watcher.observe(document.body, { childList: true, subtree: true })
  return () => {
    watcher.disconnect()
    document.removeEventListener('focusin', note)
    document.removeEventListener('focusout', forget)
  }
}

function isFocusLost(): boolean {
  return document.activeElement === document.body
}

function toFocusPosition(control: Element): FocusPosition {
  const ancestors: Element[] = []
  for (let at = control.parentElement; at && at !== document.body; at = at.parentElement) ancestors.push(at)
  const item = control.closest(items)
  return { control, ancestors, ordinal: item ? [...item.querySelectorAll(controls)].indexOf(control) : 0 }
}

function rememberAdjacent(lastPosition: FocusPosition, changes: readonly MutationRecord[]): void {
  const list = lastPosition.ancestors.find((at) => at.isConnected && at.matches(lists))
  for (const { target, removedNodes, nextSibling, previousSibling } of changes) {
    if (target !== list || ![...removedNodes].some((gone) => gone.contains(lastPosition.control))) continue
    const sibling = nextSibling ?? previousSibling
    lastPosition.adjacent = sibling instanceof Element ? sibling : undefined
  }
}

/** Prefers the same control in the adjacent item, then the labeled element, then its heading. */
function findNextFocus({ control, ancestors, ordinal, adjacent }: FocusPosition): Element | undefined {
  if (control.isConnected) return control
  if (adjacent?.isConnected) {
    const adjacentControls = adjacent.querySelectorAll(controls)
    return adjacentControls[ordinal] ?? adjacentControls[0] ?? adjacent
  }
  for (const at of ancestors) {
    if (!at.isConnected) continue
    const onward = at.querySelector(':scope > [data-onward]')
    if (onward) return onward
    if (at.matches(named)) return at
    const heading = at.matches(headed) && at.querySelector('h1, h2, h3')
    if (heading) return heading
  }
  return undefined
}

function focus(place: Element | null): void {
  if (!(place instanceof HTMLElement)) return
  place.focus()
  if (document.activeElement === place) return
  // Temporary: with a permanent tab index, a click on its content would focus it.
  place.tabIndex = -1
  place.addEventListener('blur', () => place.removeAttribute('tabindex'), { once: true })
  place.focus()
}

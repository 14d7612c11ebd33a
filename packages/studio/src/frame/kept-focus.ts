import { useEffect } from 'react'

/** The last focused element. */
interface Place {
  readonly control: Element
  /** Its ancestors, innermost first. */
  readonly around: readonly Element[]
  /** Its index among the controls of its list item. */
  readonly ordinal: number
  /** The adjacent item, known once its own item was removed. */
  beside?: Element | undefined
}

const controls = 'a[href], button, input, select, textarea, [tabindex]:not([tabindex="-1"])'
const lists = 'ul, ol, tbody'
const items = 'li, tr'
/** The element that labels it. */
const named = 'fieldset, li, [aria-label], [aria-labelledby]'
const headed = 'section, header, main'

/**
 * Restores the focus near its last position when the focused control is removed, such as the buttons of an answered
 * question. The browser would move it to the top of the page.
 */
export function useKeptFocus(): void {
  useEffect(keepFocus, [])
}

function keepFocus(): () => void {
  // In the page, or in a dialog above it.
  let inPage: Place | undefined
  let latest: Element | undefined
  const note = ({ target }: FocusEvent): void => {
    if (!(target instanceof Element)) return
    latest = target
    if (target.closest('main')) inPage = placeOf(target)
  }
  const forget = ({ target }: FocusEvent): void =>
    queueMicrotask(() => {
      // A click on the background removes the focus from a control that remains.
      if (target === latest && latest?.isConnected && isNowhere()) latest = inPage = undefined
    })
  const watcher = new MutationObserver((changes) => {
    if (inPage && !inPage.control.isConnected) noteBeside(inPage, changes)
    if (!latest || latest.isConnected || !isNowhere()) return
    moveTo((inPage && nextOf(inPage)) ?? document.querySelector('main'))
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

function isNowhere(): boolean {
  return document.activeElement === document.body
}

function placeOf(control: Element): Place {
  const around: Element[] = []
  for (let at = control.parentElement; at && at !== document.body; at = at.parentElement) around.push(at)
  const item = control.closest(items)
  return { control, around, ordinal: item ? [...item.querySelectorAll(controls)].indexOf(control) : 0 }
}

function noteBeside(place: Place, changes: readonly MutationRecord[]): void {
  const list = place.around.find((at) => at.isConnected && at.matches(lists))
  for (const { target, removedNodes, nextSibling, previousSibling } of changes) {
    if (target !== list || ![...removedNodes].some((gone) => gone.contains(place.control))) continue
    const beside = nextSibling ?? previousSibling
    place.beside = beside instanceof Element ? beside : undefined
  }
}

/** Prefers the same control of the adjacent item, then the labeled element, then its heading. */
function nextOf({ control, around, ordinal, beside }: Place): Element | undefined {
  if (control.isConnected) return control
  if (beside?.isConnected) {
    const found = beside.querySelectorAll(controls)
    return found[ordinal] ?? found[0] ?? beside
  }
  for (const at of around) {
    if (!at.isConnected) continue
    const onward = at.querySelector(':scope > [data-onward]')
    if (onward) return onward
    if (at.matches(named)) return at
    const heading = at.matches(headed) && at.querySelector('h1, h2, h3')
    if (heading) return heading
  }
  return undefined
}

function moveTo(place: Element | null): void {
  if (!(place instanceof HTMLElement)) return
  place.focus()
  if (document.activeElement === place) return
  // Temporary: with a permanent tab index, clicks on its content would focus it.
  place.tabIndex = -1
  place.addEventListener('blur', () => place.removeAttribute('tabindex'), { once: true })
  place.focus()
}

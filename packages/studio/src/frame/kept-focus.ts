import { useEffect } from 'react'

/** Where the keyboard was. */
interface Place {
  readonly control: Element
  /** What it lay in, innermost first. */
  readonly around: readonly Element[]
  /** Its number among the controls of its item of a list. */
  readonly ordinal: number
  /** The item beside it, known once the item that it lay in is gone. */
  beside?: Element | undefined
}

const controls = 'a[href], button, input, select, textarea, [tabindex]:not([tabindex="-1"])'
const lists = 'ul, ol, tbody'
const items = 'li, tr'
/** What says its name when the keyboard comes to it. */
const named = 'fieldset, li, [aria-label], [aria-labelledby]'
const headed = 'section, header, main'

/**
 * Keeps the keyboard near to where it was when the control that it was on goes away, as the buttons of a question do
 * once it is answered. A browser would begin at the top of the page again.
 */
export function useKeptFocus(): void {
  useEffect(keepFocus, [])
}

function keepFocus(): () => void {
  // In the page, and wherever it was last, which may be a dialog over the page.
  let inPage: Place | undefined
  let latest: Element | undefined
  const note = ({ target }: FocusEvent): void => {
    if (!(target instanceof Element)) return
    latest = target
    if (target.closest('main')) inPage = placeOf(target)
  }
  const forget = ({ target }: FocusEvent): void =>
    queueMicrotask(() => {
      // A press beside everything takes the focus from a control that stays.
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

/** The same control of the item beside; else what is named and stays; else its heading. */
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
  // Only for now: with a tab index, a press on what lies within it would bring it the focus.
  place.tabIndex = -1
  place.addEventListener('blur', () => place.removeAttribute('tabindex'), { once: true })
  place.focus()
}

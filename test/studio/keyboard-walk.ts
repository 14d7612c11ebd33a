import type { Page } from 'playwright-core'

/** What a walk through a page leaves in its window. */
interface Walk {
  /** Elements that had the keyboard focus. */
  readonly reached: Set<Element>
  /** Elements that did not show the focus at once. */
  readonly unmarked: Set<Element>
  /** Whether an element shows that it has the focus. */
  readonly isMarked: (control: Element) => boolean
}

/**
 * Presses Tab until the keyboard focus has been on each control of a page, and returns what a user of the keyboard would miss:
 * controls that Tab does not reach, controls that do not show the focus, and elements that say they are controls but cannot be
 * focused.
 */
export async function findUnreachable(page: Page): Promise<readonly string[]> {
  await page.evaluate(() => {
    const isMarked = (control: Element): boolean =>
      // The mark may be on the frame around a field.
      [control, control.parentElement, control.parentElement?.parentElement].some((one) => {
        const style = one && getComputedStyle(one)
        return style && (style.outlineStyle !== 'none' || style.boxShadow !== 'none')
      })
    const walk: Walk = { reached: new Set(), unmarked: new Set(), isMarked }
    Object.assign(globalThis, { walk })
    document.addEventListener('focusin', ({ target }) => {
      if (!(target instanceof Element)) return
      walk.reached.add(target)
      if (!isMarked(target)) walk.unmarked.add(target)
    })
    // Tab starts at the top of the page.
    document.body.tabIndex = -1
    document.body.focus()
    document.body.removeAttribute('tabindex')
  })
  let missed = await listMissed(page)
  // Each control takes one press; the inside of a frame takes some more.
  for (let presses = 3 * missed.length + 40; presses > 0 && missed.length > 0; presses -= 10) {
    for (let press = 0; press < 10; press += 1) await page.keyboard.press('Tab')
    missed = await listMissed(page)
  }
  return [...missed, ...(await listUnmarked(page))]
}

/** Lists controls that did not show the focus. Those that show it some frames later, such as editors, are omitted. */
function listUnmarked(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () => {
    const { unmarked, isMarked } = (globalThis as unknown as { walk: Walk }).walk
    const faults: string[] = []
    for (const one of [...unmarked].filter((it) => it.isConnected)) {
      if (one instanceof HTMLElement) one.focus({ focusVisible: true } as FocusOptions)
      for (let frame = 0; frame < 30 && !isMarked(one); frame += 1)
        await new Promise((resolve) => requestAnimationFrame(resolve))
      if (!isMarked(one)) faults.push(`focus not visible: ${one.outerHTML.slice(0, 160)}`)
    }
    return faults
  })
}

function listMissed(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { reached } = (globalThis as unknown as { walk: Walk }).walk
    const isVisible = (one: Element): boolean =>
      one.checkVisibility({ visibilityProperty: true }) && one.closest('[inert], [aria-hidden=true]') === null
    // Tab visits one radio button of a group.
    const isOtherRadio = (one: Element): boolean =>
      one instanceof HTMLInputElement && one.type === 'radio' && !one.checked
    const native = 'a[href], button, input, select, textarea, summary, [tabindex], [contenteditable=true]'
    const controls = [...document.querySelectorAll<HTMLElement>(native)].filter(
      (one) => one.tabIndex >= 0 && !one.matches(':disabled') && isVisible(one) && !isOtherRadio(one),
    )
    const roles = ['button', 'link', 'checkbox', 'switch', 'tab', 'textbox', 'combobox', 'menuitem', 'option']
    const pretenders = [...document.querySelectorAll(roles.map((role) => `[role=${role}]`).join())].filter(
      (one) => isVisible(one) && !one.matches(native),
    )
    const lines = (name: string, all: readonly Element[]): readonly string[] =>
      all.map((one) => `${name}: ${one.outerHTML.slice(0, 160)}`)
    return [
      ...lines(
        'not reached',
        controls.filter((one) => !reached.has(one)),
      ),
      ...lines('not focusable', pretenders),
    ]
  })
}

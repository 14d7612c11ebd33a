import type { ComponentType, ReactElement } from 'react'
import css from '../inbox.css'
import type { Inbox } from '../store/create-inbox.ts'
import { Bell } from '../view/bell.tsx'
import { Popover } from '../view/inbox-view.tsx'
import { Panel } from '../view/panel.tsx'
import { createController } from './controller.tsx'
import type { ElementSettings } from './inbox-element.ts'

const names = ['applicationIdentifier', 'subscriber', 'subscriberHash', 'url', 'locale', 'texts'] as const
const attributes: ReadonlyMap<string, keyof ElementSettings> = new Map([
  ['application-identifier', 'applicationIdentifier'],
  ['subscriber', 'subscriber'],
  ['subscriber-hash', 'subscriberHash'],
  ['url', 'url'],
  ['locale', 'locale'],
])

function Page(): ReactElement {
  return (
    <div className="trestle-root trestle-page">
      <Panel />
    </div>
  )
}

const views: Readonly<Record<string, ComponentType>> = {
  'trestle-bell': Bell,
  'trestle-inbox': Popover,
  'trestle-notifications': Page,
}

/** Defines the elements that are not yet defined in the page. */
export function defineElements(): void {
  // A constructable style sheet is allowed by a policy that forbids inline styles.
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  for (const [name, view] of Object.entries(views))
    if (!customElements.get(name)) customElements.define(name, createElementClass(view, sheet))
}

function createElementClass(view: ComponentType, sheet: CSSStyleSheet): CustomElementConstructor {
  return class extends HTMLElement {
    static readonly observedAttributes: readonly string[] = [...attributes.keys(), 'lang']
    readonly #controller = createController(this, view)

    constructor() {
      super()
      this.attachShadow({ mode: 'open' }).adoptedStyleSheets = [sheet]
      const { get, set } = this.#controller
      for (const name of names) {
        // Handles a property that was set before the element was defined.
        const early: unknown = Object.hasOwn(this, name) ? Reflect.get(this, name) : undefined
        Object.defineProperty(this, name, {
          ...{ get: () => get(name), set: (value) => set(name, value) },
          ...{ enumerable: true, configurable: true },
        })
        if (early !== undefined) set(name, early)
      }
    }

    get inbox(): Inbox | undefined {
      return this.#controller.inbox()
    }

    connectedCallback(): void {
      this.#controller.update()
    }

    disconnectedCallback(): void {
      this.#controller.update()
    }

    attributeChangedCallback(attribute: string, _: string | null, value: string | null): void {
      const name = attributes.get(attribute)
      if (name) this.#controller.set(name, value)
      else this.#controller.update()
    }
  }
}

import { defineElements } from './element/define-elements.tsx'
import type { InboxElement } from './element/inbox-element.ts'

declare global {
  interface HTMLElementTagNameMap {
    'trestle-bell': InboxElement
    'trestle-inbox': InboxElement
    'trestle-notifications': InboxElement
  }
}

export type { InboxElement } from './element/inbox-element.ts'
export { englishTexts, type InboxTexts } from './view/base/texts.ts'

// A server that imports this file does not support custom elements.
if (globalThis.customElements) defineElements()

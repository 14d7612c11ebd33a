import { defineElements, type InboxElement } from './element/define-elements.tsx'

declare global {
  interface HTMLElementTagNameMap {
    'trestle-bell': InboxElement
    'trestle-inbox': InboxElement
    'trestle-notifications': InboxElement
  }
}

export type { InboxElement } from './element/define-elements.tsx'
export { englishTexts, type InboxTexts } from './view/base/texts.ts'

// A server that imports this file has no elements.
if (globalThis.customElements) defineElements()

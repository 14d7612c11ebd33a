import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { toLink, toSafeUrl } from './safe-url.ts'

/** Simulates a page, or a document inside it. */
function standOn(address: string): void {
  vi.stubGlobal('location', new URL(address))
  vi.stubGlobal('document', { baseURI: 'https://app.example/orders/' })
  vi.stubGlobal('origin', 'https://app.example')
}
beforeEach(() => standOn('https://app.example/orders/'))
afterEach(() => vi.unstubAllGlobals())

test.each([
  ['/orders/1', undefined],
  ['1', undefined],
  ['https://app.example/orders/1', undefined],
  ['https://other.example/', '_blank'],
  ['//other.example/', '_blank'],
  ['\\\\other.example', '_blank'],
  ['mailto:ada@example.com', undefined],
])('opens %s in the right tab', (url, target) => {
  expect(toLink({ url })).toEqual({ href: url, target })
  standOn('about:srcdoc')
  expect(toLink({ url })).toEqual({ href: url, target })
})

test('keeps the target of a message', () => {
  expect(toLink({ url: '//other.example', target: '_self' })).toMatchObject({ target: '_self' })
})

test.each(['javascript:alert(1)', 'JAVASCRIPT:alert(1)', 'java\nscript:alert(1)', 'data:text/html,x', 'https://', ''])(
  'rejects %j',
  (url) => {
    expect(toSafeUrl(url)).toBeUndefined()
    expect(toLink({ url })).toBeUndefined()
  },
)

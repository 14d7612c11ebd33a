import { expect, test } from 'vitest'
import { parseUrl } from './address.ts'

const wide = ['https://bücher.example/', 'http://loc\u00adalhost/', 'https://日本.example/', 'https://example.com/ü']
const none = ['', 'bridge', '/api', 'http://', 'http://exa mple/', 'https://a:99999/', 'http://[::1/']

test('parses host names with any letters, however often it is called', () => {
  for (let turn = 0; turn < 100_000; turn += 1) parseUrl(`https://example.com/${turn % 7}`)
  for (const text of wide) expect(parseUrl(text)?.href).toBe(new URL(text).href)
})

test('returns undefined for text that is not a URL', () => {
  for (const text of none) expect(parseUrl(text)).toBeUndefined()
})

test('requires a base for a relative address', () => {
  expect(parseUrl('../ü', 'https://bücher.example/a/b')?.href).toBe('https://xn--bcher-kva.example/%C3%BC')
  expect(parseUrl('/a', 'urn:x')).toBeUndefined()
})

import { expect, test } from 'vitest'
import { withoutPage } from './address.ts'

test('keeps filters but not the page of their list', () => {
  expect(withoutPage('status=failed&after=x&status=warning&before=y&page=2&search=a%20b')).toBe(
    'status=failed&status=warning&search=a+b',
  )
  expect(withoutPage('after=x')).toBe('')
})

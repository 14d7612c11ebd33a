import { stepTypes } from '@trestle/protocol'
import { expect, test } from 'vitest'
import { isRendered } from './is-rendered.ts'

test('renders every step except those whose handlers run code of the app', () => {
  expect(stepTypes.filter((type) => !isRendered({ type }))).toEqual(['custom', 'http_request'])
})

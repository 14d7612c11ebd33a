import { expect, it } from 'vitest'
import { secretKey } from '../../fixtures/api.ts'
import { createEventsClient } from '../events.ts'
import { operations } from '../index.ts'

it('the events client has exactly the complete events group', () => {
  const api = createEventsClient({ secretKey, apiUrl: 'https://api.test' })
  expect(Object.keys(api)).toEqual(['events'])
  expect(Object.keys(api.events)).toEqual(Object.keys(operations.events))
})

it('the events client rejects the same options as the full client', () => {
  expect(() => createEventsClient({ secretKey, apiUrl: 'https://api.test', timeoutMs: 0 })).toThrow(
    expect.objectContaining({ code: 'RequestInvalid' }),
  )
})

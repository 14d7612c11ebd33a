import { expect, test } from 'vitest'
import { ApiError } from '../api/api-error.ts'
import type { HttpCall } from '../api/http-call.ts'
import { createRevocations } from '../keys/revocations.ts'
import { rememberKeys } from './outage-keys.ts'

const callWith = (secret: string) => ({ header: () => `ApiKey ${secret}` }) as unknown as HttpCall

test('an accepted key is remembered during an outage, until it is rejected or any key is replaced', async () => {
  let outcome: 'accepted' | 'rejected' | 'outage' = 'accepted'
  const revocations = createRevocations()
  const admit = rememberKeys(async () => {
    if (outcome === 'rejected') throw new ApiError(401, 'The key is unknown.')
    if (outcome === 'outage') throw new Error('The database is unavailable.')
  }, revocations)
  const admits = (next: typeof outcome, secret = 'sk_1'): Promise<boolean> => {
    outcome = next
    return admit(callWith(secret)).then(
      () => true,
      () => false,
    )
  }
  expect(await admits('outage')).toBe(false)
  expect(await admits('accepted')).toBe(true)
  expect(await admits('outage')).toBe(true)
  expect(await admits('outage', 'sk_2')).toBe(false)
  expect(await admits('rejected')).toBe(false)
  expect(await admits('outage')).toBe(false)
  await admits('accepted')
  revocations.check()
  expect(await admits('outage')).toBe(false)
})

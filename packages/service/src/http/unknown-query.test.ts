import { expect, test } from 'vitest'
import { operations } from '../operations/operations.ts'

// An operation rejects unknown parameters, because a misspelled filter would return everything.
const asked = operations.flatMap(({ name, query }) => (query ? [[name, query] as const] : []))

// Providers call them and may add their own parameters.
const called = ['subscribers.oauthCallback', 'integrations.answerChallenge']

test.each(asked.filter(([name]) => !called.includes(name)))('%s rejects unknown query parameters', (_name, query) => {
  const { success, error } = query.safeParse({ raed: 'true' })
  expect(success).toBe(false)
  expect(error?.issues.some(({ code }) => code === 'unrecognized_keys')).toBe(true)
})

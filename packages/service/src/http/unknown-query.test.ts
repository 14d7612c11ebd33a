import { expect, test } from 'vitest'
import { operations } from '../operations/operations.ts'

// An operation rejects unknown parameters, because a misspelled filter would return everything.
const asked = operations.flatMap(({ name, query }) => (query ? [[name, query] as const] : []))

// The provider calls it and adds its own parameters.
test.each(asked.filter(([name]) => name !== 'subscribers.oauthCallback'))(
  '%s rejects unknown query parameters',
  (_name, query) => {
    const { success, error } = query.safeParse({ raed: 'true' })
    expect(success).toBe(false)
    expect(error?.issues.some(({ code }) => code === 'unrecognized_keys')).toBe(true)
  },
)

import { expect, test } from 'vitest'
import { operations } from '../operations/operations.ts'

// Nothing is half-read: a parameter that an operation does not have is refused, or a misspelled filter would show
// everything.
const asked = operations.flatMap(({ name, query }) => (query ? [[name, query] as const] : []))

// The provider calls it, which adds parameters of its own.
test.each(asked.filter(([name]) => name !== 'subscribers.oauthCallback'))(
  '%s takes no query parameter that it does not have',
  (_name, query) => {
    const { success, error } = query.safeParse({ raed: 'true' })
    expect(success).toBe(false)
    expect(error?.issues.some(({ code }) => code === 'unrecognized_keys')).toBe(true)
  },
)

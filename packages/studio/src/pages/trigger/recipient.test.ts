import { expect, test } from 'vitest'
import { recipientOf, toOf } from './recipient.ts'

test.each([
  ['subscriber= ada ', 'ada'],
  ['subscriber=ada lovelace', 'ada lovelace'],
  ['topic=%09news%0A', { type: 'Topic', topicKey: 'news' }],
  ['', 'grace'],
])('a trigger with %j is sent to %j', (search, to) => {
  expect(toOf(recipientOf(new URLSearchParams(search), { subscriberId: 'grace' }))).toEqual(to)
})

import { describe, expect, test } from 'vitest'
import { toAddressees } from './recipient.ts'

describe('recipients of a trigger', () => {
  test('are deduplicated, with their fields merged', () => {
    expect(
      toAddressees([
        'a',
        { subscriberId: 'b', email: 'b@x' },
        { subscriberId: 'b', phone: '1' },
        'a',
        { type: 'Topic', topicKey: 't', exclude: ['c', 'd'] },
        { topicKey: 't', exclude: ['d'] },
      ]),
    ).toEqual({
      recipients: [
        { subscriberId: 'a', fields: {} },
        { subscriberId: 'b', fields: { email: 'b@x', phone: '1' } },
      ],
      topics: [{ topicKey: 't', exclude: ['d'] }],
    })
  })

  test.each([
    [null, 'to must be'],
    [undefined, 'to must be'],
    [7, 'to must be'],
    [' ', 'to must be'],
    [{}, 'to must be'],
    [['a', {}], 'to/1 must be'],
    [[['a']], 'to/0 must be'],
    [{ subscriberId: 7 }, 'to must be'],
    [{ subscriberId: 'a', email: 7 }, 'to/email must be a string'],
    [[{ subscriberId: 'a', data: [] }], 'to/0/data must be an object'],
    [{ subscriberId: 'a', channels: [7] }, 'to/channels must be a list'],
    [{ type: 'Group', topicKey: 't' }, 'to must be'],
  ])('cannot be parsed from %j', (to, message) => {
    expect(toAddressees(to)).toContain(message)
  })
})

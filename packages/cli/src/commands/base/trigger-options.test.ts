import { expect, test } from 'vitest'
import { UsageError } from '../../terminal/usage-error.ts'
import { readTriggerOptions } from './trigger-options.ts'

const read = (options: Readonly<Record<string, string>>) =>
  readTriggerOptions({ text: (name) => options[name], cwd: '.' })

test.each([
  [{}, { to: undefined, payload: {} }],
  [{ to: 'ada' }, { to: 'ada', payload: {} }],
  [
    { to: 'ada', email: 'a@b.example' },
    { to: { subscriberId: 'ada', email: 'a@b.example' }, payload: {} },
  ],
  [
    { to: '{ "type": "Topic", "topicKey": "news" }', payload: '{ "id": 7 }' },
    { to: { type: 'Topic', topicKey: 'news' }, payload: { id: 7 } },
  ],
])('reads %j', (options, expected) => {
  expect(read(options)).toEqual(expected)
})

test.each([
  [{ to: '{ada}' }, '--to is not valid JSON'],
  [{ to: '{}', email: 'a@b.example' }, '--email needs a subscriber id'],
  [{ to: 'ada', payload: '[1]' }, '--payload must be a JSON object'],
  [{ to: 'ada', payload: '@none.json' }, '--payload names a file that cannot be read'],
])('rejects %j', (options, message) => {
  expect(() => read(options)).toThrow(expect.objectContaining({ message: expect.stringContaining(message) }))
  expect(() => read(options)).toThrow(UsageError)
})

import { WorkLimitError } from '@trestle/worker-pool'
import { describe, expect, test } from 'vitest'
import { someOf } from '../../../../test/scope.ts'
import { findPayloadFaults } from '../schemas/check-payload.ts'
import { runInSandbox } from './sandbox.ts'

const slow = { schema: JSON.stringify({ pattern: '^(a+)+$' }), value: `${'a'.repeat(60)}!` }
const quick = { schema: JSON.stringify({ pattern: '^a+$' }), value: 'b' }

test('returns a result unchanged, and a failure as an error', async () => {
  expect(await runInSandbox({ task: 'findFaults', input: quick, owner: 'a' })).toMatchObject({
    faults: [{ value: 'b' }],
  })
  await expect(runInSandbox({ task: 'toString', input: {}, owner: 'a' })).rejects.toThrow('unknown task')
})

describe('endless work', () => {
  // Schemas and templates whose work doubles at every level, or never ends.
  const nested = (depth: number): object => {
    const $defs = Object.fromEntries(
      Array.from({ length: depth }, (_, level) => {
        const next = { $ref: `#/$defs/d${level + 1}` }
        return [`d${level}`, { anyOf: [{ allOf: [next, false] }, { allOf: [next, false] }] }]
      }),
    )
    return { $ref: '#/$defs/d0', $defs: { ...$defs, [`d${depth}`]: {} } }
  }

  const endless: [string, unknown, unknown][] = [
    ['a pattern', JSON.parse(slow.schema), slow.value],
    ['a pattern for names', { patternProperties: { '^(a|a)*$': {} } }, { [`${'a'.repeat(60)}!`]: 1 }],
    ['references that double', nested(40), {}],
  ]

  test.concurrent.for(someOf(endless, 2))('is stopped: %s', async ([owner, schema, value], { expect }) => {
    const check = findPayloadFaults({ schema: JSON.stringify(schema), value, owner })
    // The message depends on the limit that is reached first.
    await expect(check).rejects.toThrow(/it takes too much (processor time|memory)|its references multiply/)
  })

  test('that uses too much memory is stopped, and the service continues', async () => {
    const layout = {
      identifier: 'a',
      content: '{% assign a = (1..4900000) | uniq %}{{{ body }}}',
      defaults: {},
      texts: [],
    }
    const work = runInSandbox({ task: 'renderLayout', input: { layout, body: '', variables: {} }, owner: 'a' })
    // Either the process reaches its memory limit, or the renderer that of a value, whichever comes first.
    const outcome = await work.catch((error: unknown) => error)
    if (!(outcome instanceof WorkLimitError)) expect(outcome).toEqual({ fault: expect.stringContaining('exceeds') })
    expect(await findPayloadFaults({ ...quick, owner: 'a' })).toHaveLength(1)
  })
})

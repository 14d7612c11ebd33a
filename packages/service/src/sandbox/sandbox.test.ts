import { describe, expect, test } from 'vitest'
import { someOf } from '../../../../test/scope.ts'
import { findPayloadFaults, findSchemaFault } from '../schemas/check-payload.ts'
import { runInSandbox, SandboxError } from './sandbox.ts'

const slow = { schema: JSON.stringify({ pattern: '^(a+)+$' }), value: `${'a'.repeat(60)}!` }
const quick = { schema: JSON.stringify({ pattern: '^a+$' }), value: 'b' }

test('returns a result unchanged, and a failure as an error', async () => {
  expect(await runInSandbox({ task: 'findFaults', input: quick, owner: 'a' })).toMatchObject({
    faults: [{ value: 'b' }],
  })
  await expect(runInSandbox({ task: 'toString', input: {}, owner: 'a' })).rejects.toThrow('unknown task toString')
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
    await expect(check).rejects.toThrow(/it takes (longer than \d+ ms|too much memory)|its references multiply/)
  })

  test('is also stopped when it uses too much memory', async () => {
    const grow = { task: 'composeControls', owner: 'a' }
    const body = `{% assign a = "${'x'.repeat(1000)}" %}`.repeat(20_000)
    const input = { type: 'sms', action: 'execute', controls: { body }, providers: {}, variables: {} }
    const answer = await runInSandbox({ ...grow, input }).catch((error: unknown) => error)
    if (answer instanceof Error) expect(answer).toBeInstanceOf(SandboxError)
    else expect(answer).toMatchObject({ kind: 'failure' })
  })

  test('only blocks its own environment', async () => {
    const order: string[] = []
    const note = (name: string) => () => void order.push(name)
    const work = [
      ...['first', 'second'].map((name) => findPayloadFaults({ ...slow, owner: 'a' }).then(note(name), note(name))),
      ...['b', 'c', 'd'].map((owner) => findPayloadFaults({ ...quick, owner }).then(note(owner))),
    ]
    await Promise.all(work)
    // The second evaluation waits for the first, which uses its whole budget; the others do not wait.
    for (const owner of ['b', 'c', 'd']) expect(order.indexOf(owner)).toBeLessThan(order.indexOf('second'))
  })

  test('does not affect the next work of its environment', async () => {
    await expect(findPayloadFaults({ ...slow, owner: 'a' })).rejects.toThrow('takes longer')
    expect(await findPayloadFaults({ ...quick, owner: 'a' })).toHaveLength(1)
  })
})

test('limits waiting work of one environment to a thousand items', async () => {
  const work = Array.from({ length: 1100 }, () => findSchemaFault({ schema: '{}', owner: 'a' }))
  const faults = await Promise.all(work)
  expect(faults.filter((fault) => fault?.includes('waiting'))).not.toEqual([])
  expect(faults.filter((fault) => fault === undefined).length).toBeGreaterThan(999)
})

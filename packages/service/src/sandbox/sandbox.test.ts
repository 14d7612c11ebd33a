import { describe, expect, test } from 'vitest'
import { findPayloadFaults, findSchemaFault } from '../schemas/check-payload.ts'
import { runInSandbox, SandboxError } from './sandbox.ts'

const slow = { schema: JSON.stringify({ pattern: '^(a+)+$' }), value: `${'a'.repeat(60)}!` }
const quick = { schema: JSON.stringify({ pattern: '^a+$' }), value: 'b' }

test('a result comes back as it was, and a fault as an error', async () => {
  expect(await runInSandbox({ task: 'findFaults', input: quick, owner: 'a' })).toMatchObject({
    faults: [{ value: 'b' }],
  })
  await expect(runInSandbox({ task: 'toString', input: {}, owner: 'a' })).rejects.toThrow('there is no task toString')
})

describe('work that does not end', () => {
  // Each doubles with every level, or has no end of itself.
  const nested = (depth: number): object => {
    const $defs = Object.fromEntries(
      Array.from({ length: depth }, (_, level) => {
        const next = { $ref: `#/$defs/d${level + 1}` }
        return [`d${level}`, { anyOf: [{ allOf: [next, false] }, { allOf: [next, false] }] }]
      }),
    )
    return { $ref: '#/$defs/d0', $defs: { ...$defs, [`d${depth}`]: {} } }
  }

  test.concurrent.for<[string, unknown, unknown]>([
    ['a pattern', JSON.parse(slow.schema), slow.value],
    ['a pattern for names', { patternProperties: { '^(a|a)*$': {} } }, { [`${'a'.repeat(60)}!`]: 1 }],
    ['references that double', nested(40), {}],
    ['many items that must differ', { uniqueItems: true }, Array.from({ length: 50_000 }, (_, index) => ({ index }))],
  ])('is ended: %s', async ([owner, schema, value], { expect }) => {
    const check = findPayloadFaults({ schema: JSON.stringify(schema), value, owner })
    // Whichever limit it meets first.
    await expect(check).rejects.toThrow(/it takes (longer than \d+ ms|too much memory)|its references multiply/)
  })

  test('is ended too when it takes memory', async () => {
    const grow = { task: 'composeControls', owner: 'a' }
    const body = `{% assign a = "${'x'.repeat(1000)}" %}`.repeat(20_000)
    const input = { type: 'sms', action: 'execute', controls: { body }, providers: {}, variables: {} }
    const answer = await runInSandbox({ ...grow, input }).catch((error: unknown) => error)
    if (answer instanceof Error) expect(answer).toBeInstanceOf(SandboxError)
    else expect(answer).toMatchObject({ kind: 'failure' })
  })

  test('holds up its own environment only', async () => {
    const order: string[] = []
    const note = (name: string) => () => void order.push(name)
    const work = [
      ...['first', 'second'].map((name) => findPayloadFaults({ ...slow, owner: 'a' }).then(note(name), note(name))),
      ...['b', 'c', 'd'].map((owner) => findPayloadFaults({ ...quick, owner }).then(note(owner))),
    ]
    await Promise.all(work)
    // The second waits for the first, which takes all of its budget; the others wait for none.
    for (const owner of ['b', 'c', 'd']) expect(order.indexOf(owner)).toBeLessThan(order.indexOf('second'))
  })

  test('leaves the next work of its environment alone', async () => {
    await expect(findPayloadFaults({ ...slow, owner: 'a' })).rejects.toThrow('takes longer')
    expect(await findPayloadFaults({ ...quick, owner: 'a' })).toHaveLength(1)
  })
})

test('more than a thousand pieces of work of one environment do not wait', async () => {
  const work = Array.from({ length: 1100 }, () => findSchemaFault({ schema: '{}', owner: 'a' }))
  const faults = await Promise.all(work)
  expect(faults.filter((fault) => fault?.includes('waiting'))).not.toEqual([])
  expect(faults.filter((fault) => fault === undefined).length).toBeGreaterThan(999)
})

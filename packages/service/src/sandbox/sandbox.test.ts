import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { someOf } from '../../../../test/scope.ts'
import { findPayloadFaults, findSchemaFault } from '../schemas/check-payload.ts'
import { runInSandbox, SandboxBusyError, SandboxError } from './sandbox.ts'

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
    await expect(check).rejects.toThrow(/it takes (longer than \d+ ms|too much memory)|its references multiply/)
  })

  test('that uses too much memory is stopped, and the service continues', async () => {
    const layout = {
      identifier: 'a',
      content: '{% assign a = (1..4900000) | uniq %}{{{ body }}}',
      defaults: {},
      texts: [],
    }
    const work = runInSandbox({ task: 'renderLayout', input: { layout, body: '', variables: {} }, owner: 'a' })
    await expect(work).rejects.toThrow(new SandboxError('it takes too much memory'))
    expect(await findPayloadFaults({ ...quick, owner: 'a' })).toHaveLength(1)
  })

  test.each([[['a']], [['a', 'b']]])('of %j lets the other environments take turns', async (owners) => {
    const order: string[] = []
    const note = (name: string) => () => void order.push(name)
    const work = [
      ...['first', 'second'].flatMap((name) =>
        owners.map((owner) => findPayloadFaults({ ...slow, owner }).then(note(name), note(name))),
      ),
      ...['c', 'd', 'e'].map((owner) => findPayloadFaults({ ...quick, owner }).then(note(owner))),
    ]
    await Promise.all(work)
    // Each evaluation of these owners uses its whole time. The others wait for one of them at most.
    for (const owner of ['c', 'd', 'e']) expect(order.indexOf(owner)).toBeLessThan(order.indexOf('second'))
  })

  test('does not affect the next work of its environment', async () => {
    await expect(findPayloadFaults({ ...slow, owner: 'a' })).rejects.toThrow('takes longer')
    expect(await findPayloadFaults({ ...quick, owner: 'a' })).toHaveLength(1)
  })
})

test('limits waiting work of one environment to a thousand items', async () => {
  const work = Array.from({ length: 1100 }, () => findSchemaFault({ schema: '{}', owner: 'a' }))
  const results = await Promise.allSettled(work)
  const refused = results.filter(({ status }) => status === 'rejected')
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.length).toBeLessThanOrEqual(100)
  for (const result of refused) expect(result).toMatchObject({ reason: expect.any(SandboxBusyError) })
})

test('the process ends with the service, even during endless work', async () => {
  const file = fileURLToPath(new URL('../../dist/sandbox-process.js', import.meta.url))
  const child = fork(file, [], { stdio: ['pipe', 'ignore', 'inherit', 'ipc'] })
  child.send({ task: 'findFaults', input: JSON.stringify(slow) })
  expect(await once(child, 'message')).toEqual(['started', undefined])
  const ended = once(child, 'exit')
  // A service that is killed closes all its pipes.
  child.stdin?.end()
  expect(await ended).toEqual([null, 'SIGKILL'])
})

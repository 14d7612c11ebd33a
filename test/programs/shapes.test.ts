import { describe, expect, test } from 'vitest'
import { diceOf } from './draw.ts'
import { type Atom, type Condition, number, type Program, type Statement } from './program.ts'
import { type Data, type Done, play } from './reference.ts'
import { judge, mount } from './service.ts'

const step = (kind: 'sms' | 'inApp' | 'custom' | 'digest' = 'sms'): Statement => ({ do: 'step', kind })
const when = (...atoms: (Atom & { not?: boolean })[]): Condition => ({
  atoms: atoms.map(({ not = false, ...atom }) => ({ atom: atom as Atom, not })),
})
const cond = (condition: Condition, ...then: Statement[]): Statement => ({
  do: 'if',
  when: condition,
  then,
  otherwise: [],
})
const flag = (index: number, not = false): Atom & { not: boolean } => ({ on: 'flag', index, not })
const status = (value: string): Atom => ({ on: 'status', which: 0, value })
const length = (more: number): Atom => ({ on: 'length', more })

/** The smallest programs that once gave a wrong result; each runs like a random program, with many kinds of data. */
const shapes: Readonly<Record<string, readonly Statement[]>> = {
  'two conditions, the first turned round': [cond(when(flag(0, true)), step()), cond(when(flag(1)), step())],
  'a loop whose steps have a condition of their own': [
    { do: 'repeat', times: 2, kind: 'inApp' },
    step('inApp'),
    cond(when({ on: 'result', which: 0, more: 0, not: true }), step()),
    step('inApp'),
    cond(when({ on: 'result', which: 1, more: 0, not: true }), step()),
  ],
  'a step behind the status of another': [step('inApp'), cond(when(status('completed')), step()), step()],
  'a step behind a failure': [step('custom'), cond(when(status('failed')), step()), step()],
  'a race with a delay, slow to notice': [
    { do: 'race', kind: 'inApp', depth: 4, won: [step()], lost: [step(), step()] },
    step(),
  ],
  'a race in a branch': [
    {
      do: 'all',
      branches: [[step(), step()], [{ do: 'race', kind: 'custom', depth: 2, won: [step()], lost: [step()] }]],
    },
  ],
  'a step that is awaited later': [{ do: 'later', kind: 'sms', between: [cond(when(flag(0)), step()), step()] }],
  'a branch that waits a few turns': [
    { do: 'all', branches: [[step()], [{ do: 'pause', turns: 4, ms: 0 }, cond(when(flag(0)), step())], [step()]] },
  ],
  'a list of more than two': [cond(when(length(2)), step()), cond(when(length(10)), step()), step()],
  'a value between the extremes, beside other conditions': [
    cond(when({ on: 'between', index: 0, low: 3, high: 10 }, flag(0), flag(1, true)), step()),
    step(),
  ],
  'texts that only the source names': [
    cond(when({ on: 'text', index: 0, value: "it's" }, { on: 'locale', value: 'de' }), step()),
    cond(when({ on: 'plan', value: 'gold' }, { on: 'mode', value: 'café' }), step()),
    step(),
  ],
  'ends in parallel branches': [
    {
      do: 'all',
      branches: [
        [cond(when(flag(0)), step()), step(), step()],
        [cond(when(flag(1)), step(), step()), step(), step()],
      ],
    },
    step(),
  ],
}

const schemas: readonly Program['schema'][] = ['json', 'zod', 'none']

describe.each(schemas)('a known program shape, with a schema of %s', (schema) => {
  test.each(Object.entries(shapes))('%s', async (_name, body) => {
    for (let start = 0; start < 3; start++) {
      const list = Array.from({ length: 40 }, (_, index) => (start * 7919 + index * 104_729) % 1009)
      expect(await judge(number({ body, schema }), diceOf(list))).toEqual([])
    }
  })
})

const data: Data = { payload: { items: [] }, subscriber: {}, env: {} }
const done = (id: string): Done => ({ id, status: 'completed', outputs: id === 'timeout' ? { duration: 1 } : {} })
const race = `async ({ step }) => {
  const sms = (id) => step.sms(id, () => { ran(id); return { body: id } })
  const won = await Promise.race([
    (async () => { await sms('ask'); await null; await null; await null; return 'ask' })(),
    step.delay('timeout', () => ({ amount: 1, unit: 'hours' })).then(() => 'timeout'),
  ])
  if (won === 'ask') await step.sms('thanks', () => { ran('thanks'); return { body: 'thanks' } })
  else await step.sms('remind', () => { ran('remind'); return { body: 'remind' } })
}`

describe('the order of completion', () => {
  test.each([
    ['thanks', ['ask', 'timeout'], false],
    ['thanks', ['timeout', 'ask'], true],
    ['remind', ['timeout', 'ask'], false],
    ['remind', ['ask', 'timeout', 'thanks'], true],
    ['thanks', ['ask'], false],
    ['remind', ['timeout'], false],
  ])('decides whether "%s" runs after %j', async (stepId, order, skip) => {
    const { ask, discover } = mount(race, 'none')
    expect((await discover()).steps.map((one) => one.stepId)).toEqual(['ask', 'timeout', 'thanks', 'remind'])
    const { status: code, body } = await ask(stepId, { data, done: order.map(done), results: new Map() })
    expect([code, body.options]).toEqual([200, { skip }])
  })
})

test('finds ten booleans and eleven steps', async () => {
  const names = Array.from({ length: 10 }, (_, index) => `flag${index}`)
  const lines = names.map((name) => `if (payload.${name}) await step.sms('${name}', () => ({ body: 'x' }))`)
  const { discover } = mount(
    `async ({ step, payload }) => {\n${lines.join('\n')}\nawait step.sms('last', () => ({ body: 'x' }))\n}`,
    'none',
  )
  expect((await discover()).steps.map((one) => one.stepId)).toEqual([...names, 'last'])
})

test('steps share a group only if all of them were open at the same time', async () => {
  const source = `async ({ step, payload }) => {
    const a = step.sms('a', () => ({ body: 'x' }))
    if (payload.more) await step.sms('b', () => ({ body: 'x' }))
    await step.sms('c', () => ({ body: 'x' }))
    await a
  }`
  const groups = Object.fromEntries(
    (await mount(source, 'none').discover()).steps.map((one) => [one.stepId, one.parallelGroup]),
  )
  expect(groups['a']).toBe(groups['b'])
  expect(groups['c']).not.toBe(groups['a'])
})

test('the reference also simulates races', () => {
  const numbered = number({ schema: 'none', body: shapes['a race with a delay, slow to notice'] ?? [] })
  expect(play(numbered, data, []).open).toEqual(['s0', 's1'])
  expect(play(numbered, data, [done('s1'), done('s0')]).called).toEqual(['s0', 's1', 's3'])
  expect(play(numbered, data, [done('s0')]).called).toEqual(['s0', 's1', 's2'])
})

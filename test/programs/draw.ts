import fc from 'fast-check'
import type { Atom, Bound, BoundAtom, Condition, Kind, Node, Numbered, Program, Statement, Test } from './program.ts'
import { type Data, type Done, empty } from './reference.ts'

const texts = ['gold', 'de', 'x-ray', 'not found', 'café', "it's"]
const kind: fc.Arbitrary<Kind> = fc.constantFrom(
  'sms',
  'inApp',
  'custom',
  'digest',
  'delay',
  'waitForEvent',
  'trigger',
  'throttle',
)
const index = fc.nat(2)
const literal = fc.constantFrom(...texts)
const low = fc.constantFrom(-5, 0, 3, 10, 100)

const atom: fc.Arbitrary<Atom> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ on: fc.constant('flag' as const), index }) },
  {
    weight: 2,
    arbitrary: fc.record({ on: fc.constant('choice' as const), index, value: fc.constantFrom('a', 'b', 'c') }),
  },
  { weight: 2, arbitrary: fc.record({ on: fc.constant('text' as const), index, value: literal }) },
  {
    weight: 1,
    arbitrary: fc.record({
      on: fc.constant('oneOf' as const),
      index,
      values: fc.uniqueArray(literal, { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ on: fc.constant('starts' as const), index, value: literal }) },
  {
    weight: 3,
    arbitrary: fc.record({
      on: fc.constantFrom('above' as const, 'below' as const, 'equal' as const),
      index,
      value: low,
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ on: fc.constant('between' as const), index, low, high: low })
      .map((range) => ({ ...range, high: range.low + Math.abs(range.high) + 2 })),
  },
  { weight: 2, arbitrary: fc.record({ on: fc.constant('length' as const), more: fc.constantFrom(0, 1, 2, 3, 5, 10) }) },
  {
    weight: 1,
    arbitrary: fc.record({ on: fc.constantFrom('locale' as const, 'plan' as const, 'mode' as const), value: literal }),
  },
  { weight: 1, arbitrary: fc.constant({ on: 'phone' as const }) },
  {
    weight: 4,
    arbitrary: fc.record({ on: fc.constant('result' as const), which: fc.nat(5), more: fc.constantFrom(0, 1, 2, 5) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      on: fc.constant('status' as const),
      which: fc.nat(5),
      value: fc.constantFrom('completed', 'skipped', 'canceled', 'failed'),
    }),
  },
)

const seldom = fc.nat(4).map((value) => value === 0)
const condition: fc.Arbitrary<Condition> = fc.record({
  atoms: fc.array(fc.record({ atom, not: fc.boolean() }), { minLength: 1, maxLength: 3 }),
  any: seldom,
  kept: seldom,
})
const simple: fc.Arbitrary<Condition> = fc.record({
  atoms: fc.record({ atom, not: fc.boolean() }).map((one) => [one]),
  kept: seldom,
})
const readable = fc.constantFrom('inApp', 'custom', 'digest', 'delay', 'waitForEvent', 'trigger')

const { block } = fc.letrec<{ statement: Statement; block: readonly Statement[] }>((tie) => ({
  block: fc.array(tie('statement'), { minLength: 1, maxLength: 3 }),
  statement: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 8, arbitrary: fc.record({ do: fc.constant('step' as const), kind }) },
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('if' as const),
        when: condition,
        then: tie('block'),
        otherwise: fc.oneof(fc.constant([]), tie('block')),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('repeat' as const), times: fc.integer({ min: 1, max: 3 }), kind }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('until' as const),
        times: fc.integer({ min: 1, max: 3 }),
        kind: readable,
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('each' as const),
        kind,
        most: fc.constantFrom(undefined, undefined, 1, 2),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('fan' as const), kind }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('and' as const), when: condition, kind }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('switch' as const),
        index,
        cases: fc.tuple(tie('block'), tie('block')),
        falls: seldom,
        otherwise: fc.oneof(fc.constant([]), tie('block')),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('helper' as const), body: tie('block') }) },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('catch' as const),
        body: tie('block'),
        when: simple,
        rest: fc.oneof(fc.constant([]), tie('block')),
        last: tie('block'),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('all' as const),
        branches: fc.array(tie('block'), { minLength: 2, maxLength: 3 }),
        settled: seldom,
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('race' as const),
        kind,
        depth: fc.nat(4),
        won: tie('block'),
        lost: fc.oneof(fc.constant([]), tie('block')),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('return' as const), when: simple }) },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('finally' as const), body: tie('block'), last: tie('block') }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('later' as const), kind, between: tie('block') }) },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('pause' as const),
        turns: fc.integer({ min: 1, max: 6 }),
        ms: fc.constantFrom(0, 0, 0, 2),
      }),
    },
  ) as fc.Arbitrary<Statement>,
}))

const maxSteps = 14

export const program: fc.Arbitrary<Program> = fc
  .record({
    body: fc.array(block, { minLength: 1, maxLength: 2 }).map((blocks) => blocks.flat()),
    schema: fc.constantFrom('json' as const, 'zod' as const, 'none' as const),
    taken: seldom,
  })
  .filter(({ body }) => (JSON.stringify(body).match(/"kind":/g) ?? []).length <= maxSteps)

/** The source of random programs and data: a list of choices. */
export const choices: fc.Arbitrary<readonly number[]> = fc.array(fc.nat(999), { minLength: 40, maxLength: 40 })

/** Returns the next choice. */
export interface Dice {
  pick<T>(values: readonly T[]): T
}

/** Converts a list of choices to a function that returns them in turn, repeating the list. */
export function diceOf(list: readonly number[]): Dice {
  let next = 0
  return {
    pick<T>(values: readonly T[]): T {
      const value = list[next++ % list.length] ?? 0
      return values[(value + Math.floor(next / list.length)) % values.length] as T
    },
  }
}

/** The atoms of a program. */
export function atomsOf({ body }: Numbered): readonly BoundAtom[] {
  const ofTest = (test: Test): readonly BoundAtom[] => test.atoms.map((one) => one.atom)
  const ofNode = (node: Node): readonly BoundAtom[] => {
    const own = 'when' in node ? ofTest(node.when) : []
    const lists = Object.values(node).filter(Array.isArray).flat(2) as readonly Node[]
    return [...own, ...lists.filter((inner) => typeof inner === 'object' && 'do' in inner).flatMap(ofNode)]
  }
  return body.flatMap(ofNode)
}

/** Whether a program loops over the payload's items. */
export function hasEach(nodes: readonly Node[]): boolean {
  return /"do":"(?:each|fan)"/.test(JSON.stringify(nodes))
}

/**
 * Generates data that a program's conditions distinguish.
 *
 * @param lengths - The allowed lengths of the list of items. @default short ones, and those in conditions
 */
export function toData(numbered: Numbered, dice: Dice, lengths?: readonly number[]): Data {
  const atoms = atomsOf(numbered)
  const texts = atoms.flatMap((one) =>
    one.on === 'text' || one.on === 'locale' || one.on === 'plan' || one.on === 'mode' ? [one] : [],
  )
  const textFor = (on: string, at?: number): string =>
    dice.pick([
      ...texts
        .filter((one) => one.on === on && (at === undefined || ('index' in one && one.index === at)))
        .map(({ value }) => value),
      'other',
    ])
  const written = (at: number): readonly string[] =>
    atoms.flatMap((one) => {
      if (one.on === 'oneOf' && one.index === at) return one.values
      return one.on === 'starts' && one.index === at ? [one.value, `${one.value} and more`] : []
    })
  const countFor = (at: number): number =>
    dice.pick([
      ...[0, 1, 7],
      ...atoms.flatMap((one) => {
        if (!('index' in one) || one.index !== at) return []
        if (one.on === 'between') return [one.low, one.low + 1, one.high]
        return one.on === 'above' || one.on === 'below' || one.on === 'equal'
          ? [one.value - 1, one.value, one.value + 1]
          : []
      }),
    ])
  const compared = atoms.flatMap((one) => (one.on === 'length' ? [one.more, one.more + 1] : []))
  const length = dice.pick(lengths ?? [0, 1, 2, ...(hasEach(numbered.body) ? [] : compared)])
  const payload: Record<string, unknown> = { items: Array.from({ length }, (_, at) => ({ id: `i${at}` })) }
  for (const at of [0, 1, 2]) {
    payload[`flag${at}`] = dice.pick([true, false])
    payload[`choice${at}`] = dice.pick(['a', 'b', 'c'])
    payload[`text${at}`] = dice.pick([textFor('text', at), ...written(at)])
    payload[`count${at}`] = countFor(at)
  }
  return {
    payload: payload as Data['payload'],
    subscriber: {
      subscriberId: 'someone',
      locale: textFor('locale'),
      phone: dice.pick([null, '+15550100']),
      ...dice.pick([{}, { data: { plan: textFor('plan') } }]),
    } as Data['subscriber'],
    env: { MODE: textFor('mode') },
  }
}

/** Generates the outcome of a step. */
export function toDone(bound: Pick<Bound, 'id' | 'kind'>, numbered: Numbered, dice: Dice): Done {
  const status = dice.pick([
    'completed',
    'completed',
    'completed',
    'completed',
    'completed',
    'skipped',
    'canceled',
    'failed',
  ])
  const { id, kind } = bound
  const reads = atomsOf(numbered).flatMap((one) => (one.on === 'result' && one.bound.id === id ? [one.more] : []))
  if (status !== 'completed') return { id, status, outputs: {} }
  if (kind === 'sms') return { id, status, outputs: {} }
  if (kind === 'inApp') return { id, status, outputs: { ...empty['inApp'], read: dice.pick([true, false]) } }
  if (kind === 'custom') return { id, status, outputs: dice.pick([{ tier: 'pro' }, { tier: 'free' }, {}]) }
  if (kind === 'throttle') return { id, status, outputs: { throttled: dice.pick([true, false]) } }
  if (kind === 'waitForEvent')
    return { id, status, outputs: dice.pick([{ received: true, payload: { n: 1 } }, empty['waitForEvent'] ?? {}]) }
  if (kind === 'trigger')
    return { id, status, outputs: { status: dice.pick(['completed', 'failed']), transactionId: 't', runs: [] } }
  if (kind === 'delay')
    return { id, status, outputs: { duration: dice.pick([0, 1, ...reads.map((more) => more * 1000 + 1)]) } }
  const length = dice.pick([0, 1, ...reads.map((more) => more + 1)])
  const events = Array.from({ length }, (_, at) => ({ id: `e${at}`, time: '2026-01-01T00:00:00.000Z', payload: {} }))
  return { id, status, outputs: { events, eventCount: length } }
}

import { describe, expect, test } from 'vitest'
import type { LiteralValue, PlaceRead } from '../samples/variation/variation.ts'
import { comparePlans, planFrom, toBases } from './plan.ts'
import { type Plan, ranks } from './planned-run.ts'
import type { RecordedRun } from './recorded-run.ts'

/** A run that has read some places; each has two values, and the literals that are given. */
function toRun(paths: Readonly<Record<string, readonly LiteralValue[]>>): RecordedRun {
  const reads = Object.entries(paths).map(([path, literals]): [string, PlaceRead] => {
    return [path, { count: 2, literals, isAside: false, isList: false, chosen: 0, times: 1 }]
  })
  const nothing = { calls: [], doubles: [], done: [], unused: [], texts: new Set<string>(), misfits: new Set<string>() }
  return {
    ...nothing,
    ...{ end: 'normal', error: undefined, reads: new Map(reads), seen: { payload: true, last: '' } },
    ...{ awaitedIo: false, callsAtWork: 0, maxGapMs: 0, sitesOf: () => [] },
  }
}

const literal = (key: number): LiteralValue => ({ kind: 'text', key, isNear: true })
const [fullest, emptiest] = toBases() as [Plan, Plan]
const pathsOf = (plans: readonly Plan[]): readonly string[] =>
  plans.map(({ variation }) => [...variation.changes].map(([path, index]) => `${path}=${index}`).join())

describe('the runs that a run suggests', () => {
  test('try the places that nothing has shown before those that the other base has shown', () => {
    const known = new Map<string, number>()
    planFrom(fullest, toRun({ 'payload/a': [literal(0), literal(1)] }), { known, hasFound: false })
    const run = toRun({ 'payload/a': [literal(0), literal(1)], 'payload/b': [literal(0), literal(1)] })
    const plans = planFrom(emptiest, run, { known, hasFound: false }).filter(
      ({ layer, rank }) => layer === 1 && rank !== ranks.diagonal,
    )
    expect(pathsOf(plans.toSorted(comparePlans(false)))).toEqual([
      'payload/b=0',
      'payload/b=2',
      'payload/b=3',
      'payload/a=0',
      'payload/a=2',
      'payload/a=3',
    ])
  })

  test('try the items far behind in a list last, and nothing is missing without them', () => {
    const places = ['payload/list/3', 'payload/list/4', 'payload/other']
    const plans = planFrom(fullest, toRun(Object.fromEntries(places.map((path) => [path, []]))), {
      known: new Map(),
      hasFound: false,
    })
    const found = plans.filter(({ variation, rank }) => variation.changes.size === 1 && rank !== ranks.diagonal)
    expect(pathsOf(found.toSorted(comparePlans(false))).at(-1)).toBe('payload/list/4=1')
    expect(found.map(({ isNeeded, variation }) => [...variation.changes.keys(), isNeeded].join())).toEqual([
      'payload/list/3,true',
      'payload/list/4,false',
      'payload/other,true',
    ])
  })

  test('try all items together also where the list was first met deep in the function', () => {
    const changes = new Map([
      ['payload/a', 1],
      ['payload/b', 1],
    ])
    const deep: Plan = { ...fullest, variation: { ...fullest.variation, changes }, layer: 2 }
    const items = { 'payload/list/0': [literal(0)], 'payload/list/1': [literal(1)] }
    const known = new Map<string, number>()
    const isOnAll = ({ variation }: Plan): boolean => variation.isInTurn === true || variation.everywhere !== undefined
    expect(planFrom(deep, toRun(items), { known, hasFound: false }).filter(isOnAll)).toHaveLength(3)
    expect(planFrom(deep, toRun(items), { known, hasFound: false }).filter(isOnAll)).toHaveLength(0)
  })
})

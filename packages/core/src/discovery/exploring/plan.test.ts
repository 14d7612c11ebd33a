import { describe, expect, test } from 'vitest'
import type { RecordedRun } from '../recording/recorded-run.ts'
import type { LiteralValue, PlaceRead } from '../samples/variation/variation.ts'
import { comparePlans, planFrom, toBases } from './plan.ts'
import { type Known, type Plan, ranks, toUnknown } from './planned-run.ts'

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
    const known = toUnknown()
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
      known: toUnknown(),
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

  test('leave out far items of a list behind the sixtieth, and no other place', () => {
    const paths = [...Array.from({ length: 300 }, (_, index) => `payload/list/${index + 4}`), 'payload/other']
    const known = toUnknown()
    const plans = planFrom(fullest, toRun(Object.fromEntries(paths.map((path) => [path, []]))), {
      known,
      hasFound: false,
    })
    const single = pathsOf(plans.filter(({ layer, rank }) => layer === 1 && rank !== ranks.diagonal))
    expect(single.filter((path) => path.startsWith('payload/list'))).toHaveLength(60)
    expect(single).toContain('payload/other=1')
  })

  test('try all items together also where the list was first met deep in the function', () => {
    const changes = new Map([
      ['payload/a', 1],
      ['payload/b', 1],
    ])
    const deep: Plan = { ...fullest, variation: { ...fullest.variation, changes }, layer: 2 }
    const items = { 'payload/list/0': [literal(0)], 'payload/list/1': [literal(1)] }
    const known = toUnknown()
    const isOnAll = ({ variation }: Plan): boolean => variation.isInTurn === true || variation.everywhere !== undefined
    expect(planFrom(deep, toRun(items), { known, hasFound: false }).filter(isOnAll)).toHaveLength(3)
    expect(planFrom(deep, toRun(items), { known, hasFound: false }).filter(isOnAll)).toHaveLength(0)
  })

  describe('that has called a step which none had called before', () => {
    const names = Array.from({ length: 100 }, (_, index) => `payload/f${index}`)
    const run = toRun(Object.fromEntries(names.map((path) => [path, []])))
    const toKnown = (): Known => ({ ...toUnknown(), times: new Map(names.map((path) => [`fullest ${path}`, 1])) })
    const times = new Map(names.map((path) => [path, 1]))
    const changes = new Map([['payload/f0', 1]])
    const found: Plan = {
      ...fullest,
      variation: { ...fullest.variation, changes },
      layer: 1,
      picked: ['payload/f0'],
      times,
    }

    test('try every other place anew, but none that was picked for it', () => {
      const plans = planFrom(found, run, { known: toKnown(), hasFound: true })
      expect(planFrom(found, run, { known: toKnown(), hasFound: false })).toEqual([])
      expect(pathsOf(plans)[0]).toBe('payload/f0=1,payload/f1=1')
      expect(plans.filter(({ picked }) => new Set(picked).size < picked.length)).toEqual([])
    })

    test('are no more than sixty', () => {
      expect(planFrom(found, run, { known: toKnown(), hasFound: true })).toHaveLength(60)
    })
  })
})

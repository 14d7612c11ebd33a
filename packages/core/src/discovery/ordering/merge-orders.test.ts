import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeOrders, toSuccessors } from './merge-orders.ts'

const merge = (...orders: string[][]): readonly string[] => mergeOrders(toSuccessors(orders)).order

describe('merging orders', () => {
  it('keeps the order of each run', () => {
    expect(merge(['a', 'c'], ['b', 'c', 'd'], ['a', 'x', 'd', 'e'])).toEqual(['a', 'b', 'c', 'x', 'd', 'e'])
  })

  it('keeps the order of ids that only a later run contains', () => {
    expect(merge(['b'], ['a'], ['a', 'b'])).toEqual(['a', 'b'])
    expect(merge(['in0', 'in1'], ['in0', 'sms0', 'in1', 'sms1'])).toEqual(['in0', 'sms0', 'in1', 'sms1'])
  })

  it('uses the comparison for unordered ids', () => {
    const successors = toSuccessors([['z'], ['m'], ['a', 'z']])
    expect(mergeOrders(successors, (left, right) => left.localeCompare(right)).order).toEqual(['a', 'm', 'z'])
    expect(mergeOrders(successors).order).toEqual(['m', 'a', 'z'])
  })

  it('reports ids that occur in both orders, and loses none', () => {
    const { order, tangled } = mergeOrders(
      toSuccessors([
        ['a', 'b', 'c'],
        ['c', 'b', 'd'],
      ]),
    )
    expect(tangled.map((ids) => [...ids].sort())).toEqual([['b', 'c']])
    expect(order).toEqual(['a', 'b', 'c', 'd'])
  })

  const masks = fc.array(fc.array(fc.boolean(), { minLength: 31, maxLength: 31 }), { minLength: 1, maxLength: 6 })

  it('keeps the order of every run if the runs agree', () => {
    const all = fc.uniqueArray(fc.integer({ min: 0, max: 30 }).map(String), { minLength: 1 })
    fc.assert(
      fc.property(all, masks, (order, drawn) => {
        const runs = drawn.map((mask) => order.filter((_, index) => mask[index]))
        const merged = merge(...runs)
        expect([...merged].sort()).toEqual([...new Set(runs.flat())].sort())
        for (const run of runs) expect(merged.filter((id) => run.includes(id))).toEqual(run)
      }),
    )
  })

  it('lists every id once, for any runs', () => {
    const run = fc.uniqueArray(fc.integer({ min: 0, max: 12 }).map(String))
    fc.assert(
      fc.property(fc.array(run, { maxLength: 6 }), (runs) => {
        expect([...merge(...runs)].sort()).toEqual([...new Set(runs.flat())].sort())
      }),
    )
  })
})

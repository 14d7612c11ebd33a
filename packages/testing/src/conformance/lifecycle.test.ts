import { Validator } from '@cfworker/json-schema'
import { describe, expect, test } from 'vitest'
import { type LifeEngine, lifeCases, lifeSchema, runLife } from './life.ts'
import { lifeEngine } from './life-engine.ts'

test.each(lifeCases.map((life) => [life.name, life] as const))('%s', async (_name, life) => {
  expect(await runLife(lifeEngine, [life])).toEqual([{ name: life.name, fault: undefined }])
})

describe('the file', () => {
  const validator = new Validator(lifeSchema as never, '2020-12', false)

  test('is what its schema says', () => {
    expect(validator.validate({ cases: lifeCases }).errors).toEqual([])
    expect(validator.validate({ cases: [{ ...lifeCases[0], expect: [{ status: 'odd', steps: [] }] }] }).valid).toBe(
      false,
    )
  })

  test('no two cases have one name, and each trigger has its outcome', () => {
    expect(new Set(lifeCases.map(({ name }) => name)).size).toBe(lifeCases.length)
    for (const { triggers, expect: outcomes } of lifeCases) expect(outcomes).toHaveLength(triggers.length)
  })
})

describe('an engine that is wrong is found', () => {
  const altered = (alter: (text: string) => string): LifeEngine => ({
    play: async (given) => JSON.parse(alter(JSON.stringify(await lifeEngine.play(given)))),
  })
  test.each<[string, LifeEngine]>([
    ['it merges nothing', altered((text) => text.replaceAll('merged', 'completed'))],
    ['it does not wait', altered((text) => text.replaceAll(/"endedAfterMs":\d+/g, '"endedAfterMs":0'))],
    ['it knows no skips', altered((text) => text.replaceAll('skipped', 'completed'))],
    ['it stores nothing', altered((text) => text.replaceAll(/"result":\{[^}]*\}/g, '"result":{}'))],
    ['it throws', { play: () => Promise.reject(new Error('down')) }],
  ])('%s', async (_what, engine) => {
    expect((await runLife(engine)).some(({ fault }) => fault)).toBe(true)
  })
})

import { Validator } from '@cfworker/json-schema'
import { describe, expect, test } from 'vitest'
import { type LifecycleEngine, lifecycleCases, lifecycleSchema, runLifecycle } from './lifecycle.ts'
import { createLifecycleEngine, lifecycleEngine } from './lifecycle-engine.ts'

describe.each(['run-driven', 'listed'] as const)('a %s service', (service) => {
  const engine = createLifecycleEngine(service)
  test.each(lifecycleCases.map((life) => [life.name, life] as const))('%s', async (_name, life) => {
    expect(await runLifecycle(engine, [life])).toEqual([{ name: life.name, fault: undefined }])
  })
})

describe('the file', () => {
  const validator = new Validator(lifecycleSchema as never, '2020-12', false)

  test('matches its schema', () => {
    expect(validator.validate({ cases: lifecycleCases }).errors).toEqual([])
    expect(
      validator.validate({ cases: [{ ...lifecycleCases[0], expect: [{ status: 'odd', steps: [] }] }] }).valid,
    ).toBe(false)
  })

  test('has unique case names, and a result for each trigger', () => {
    expect(new Set(lifecycleCases.map(({ name }) => name)).size).toBe(lifecycleCases.length)
    for (const { triggers, expect: outcomes } of lifecycleCases) expect(outcomes).toHaveLength(triggers.length)
  })
})

describe('detects a wrong engine', () => {
  const altered = (alter: (text: string) => string): LifecycleEngine => ({
    play: async (given) => JSON.parse(alter(JSON.stringify(await lifecycleEngine.play(given)))),
  })
  test.each<[string, LifecycleEngine]>([
    ['it merges nothing', altered((text) => text.replaceAll('merged', 'completed'))],
    ['it does not wait', altered((text) => text.replaceAll(/"endedAfterMs":\d+/g, '"endedAfterMs":0'))],
    ['it knows no skips', altered((text) => text.replaceAll('skipped', 'completed'))],
    ['it stores nothing', altered((text) => text.replaceAll(/"result":\{[^}]*\}/g, '"result":{}'))],
    ['it runs steps that are not reached', { ...altered((text) => text), service: 'listed' }],
    ['it throws', { play: () => Promise.reject(new Error('down')) }],
  ])('%s', async (_what, engine) => {
    expect((await runLifecycle(engine)).some(({ fault }) => fault)).toBe(true)
  })
})

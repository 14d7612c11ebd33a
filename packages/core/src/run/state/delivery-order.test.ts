import { describe, expect, test } from 'vitest'
import { type Answer, askBridge, flow, gives, silent } from '../../call-bridge.fixture.ts'
import { createBridge } from '../../http/create-bridge.ts'
import type { Step } from '../../workflow/steps/step-kinds.ts'

type Run = (context: { step: Step }) => unknown

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Returns a function that calls for the next steps, or, given a step id, for one step, as a list-driven service does.
 */
function play(run: Run): (state: Readonly<Record<string, unknown>>, asked?: string | object) => Promise<Answer> {
  const bridge = createBridge({ workflows: [flow(run)], strictAuthentication: false, logger: silent })
  return (state, asked) => {
    const form = typeof asked === 'string' ? { step: asked } : { next: true, ...asked }
    return askBridge(bridge, { workflow: 'flow', state, ...form } as never)
  }
}

/** A race between a timeout and a branch that does I/O before its step. */
const race: Run = async ({ step }) => {
  const winner = await Promise.race([
    step.delay('timeout', () => ({ amount: 1, unit: 'days' })).then(() => 't'),
    (async () => {
      await sleep(20)
      await step.custom('poll', gives('poll'))
      return 'p'
    })(),
  ])
  await step.custom(`end-${winner}`, gives(`end-${winner}`))
}

describe('a race', () => {
  test('keeps its winner when the loser completes later, even if the winner does I/O before its step', async () => {
    const next = play(race)
    const taken = [{ stepId: 'timeout' }]
    expect((await next({ poll: {} }, { taken, wait: 500 })).body.open).toMatchObject([{ stepId: 'end-p' }])
    expect((await next({ timeout: { duration: 1 }, 'end-p': {}, poll: {} })).body.done).toBe(true)
  })

  test('keeps its winner in calls for one step, and the loser’s continuation is not reached', async () => {
    const call = play(race)
    const state = { timeout: { duration: 1 }, 'end-p': {}, poll: {} }
    expect((await call(state, 'end-t')).body).not.toHaveProperty('outputs.id')
    expect((await call({ timeout: { duration: 1 }, poll: {} }, 'end-p')).body.outputs).toEqual({ id: 'end-p' })
  })

  test('keeps its winner if both branches share a step and one continues without another step', async () => {
    const next = play(async ({ step }) => {
      const shared = step.custom('a', gives('a'))
      const slow = shared.then(async () => {
        for (let turns = 0; turns < 20; turns++) await null
        return 'slow'
      })
      const stepping = shared.then(() => step.custom('b', gives('b'))).then(() => 'stepping')
      const winner = await Promise.race([slow, stepping])
      await step.custom(`end-${winner}`, gives('end'))
    })
    expect((await next({ b: {}, a: {} })).body.step.stepId).toBe('end-slow')
  })

  test.each([
    ['a', 'b'],
    ['b', 'a'],
  ])('is decided by the order of completion: %s before %s', async (first, second) => {
    const next = play(async ({ step }) => {
      const branch = (id: string): Promise<string> => step.custom(id, gives(id)).then(() => id)
      const winner = await Promise.race([branch('a'), branch('b')])
      await step.custom(`end-${winner}`, gives('end'))
    })
    expect((await next({ [second]: {}, [first]: {} })).body.step.stepId).toBe(`end-${first}`)
  })
})

test('holds a result until every older one is delivered, even if the function has returned', async () => {
  const order: string[] = []
  const next = play(({ step }) => {
    void (async () => {
      await sleep(30)
      await step.custom('older', gives('older'))
      order.push('older')
    })()
    void step.custom('newer', gives('newer')).then(() => order.push('newer'))
  })
  await next({ newer: {}, older: {} })
  await sleep(100)
  expect(order).toEqual(['older', 'newer'])
})

test('holds results after that of a removed step only until the run is inactive', async () => {
  const next = play(async ({ step }) => {
    await step.custom('a', gives('a'))
    await step.custom('b', gives('b'))
    await step.custom('c', gives('c'))
  })
  expect((await next({ b: {}, a: {}, removed: {} })).body.step.stepId).toBe('c')
})

test('delivers all results if the code requests them in a different order than they completed', async () => {
  const ids = Array.from({ length: 20 }, (_, index) => `s${index}`)
  const next = play(async ({ step }) => {
    await Promise.all(ids.map((id) => step.custom(id, gives(id))))
    await step.custom('end', gives('end'))
  })
  const shuffled = ids.toSorted((left, right) => left.charCodeAt(1) - right.charCodeAt(1))
  expect((await next(Object.fromEntries(shuffled.map((id) => [id, {}])))).body.step.stepId).toBe('end')
})

test('a listed step that the run did not reach holds no results', async () => {
  const call = play(async ({ step }) => {
    await step.custom('a', gives('a'))
    await step.custom('b', gives('b'))
  })
  const { body, turns } = await countTurns(call({ a: {}, passed: 'skipped' }, 'b'))
  expect(body.outputs).toEqual({ id: 'b' })
  // Waiting for inactivity would take thousands of turns.
  expect(turns).toBeLessThan(50)
})

async function countTurns(answer: Promise<Answer>): Promise<Answer & { readonly turns: number }> {
  let turns = 0
  let isOver = false
  void answer.finally(() => {
    isOver = true
  })
  for (; !isOver; turns++) await new Promise(setImmediate)
  return { ...(await answer), turns }
}

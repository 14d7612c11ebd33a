import { expect, test } from 'vitest'
import { askBridge, flow, silent } from '../../call-bridge.fixture.ts'
import { createBridge } from '../../http/create-bridge.ts'

const sleep = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms))
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

function burn(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

/** Creates a bridge with a branch that does other work before its step, and a slow parallel step. */
function mount(work: () => Promise<void>): ReturnType<typeof createBridge> {
  const workflow = flow(async ({ step }) => {
    await Promise.all([
      step.delay('other', () => ({ amount: 1, unit: 'hours' })),
      (async () => {
        await work()
        await step.sms('asked', () => ({ body: 'text' }))
      })(),
    ])
  })
  return createBridge({ workflows: [workflow], strictAuthentication: false, logger: silent })
}

/** Calls a function while the event loop turns slowly, so that timers are due at each turn. */
async function onBusyLoop<TResult>(run: () => Promise<TResult>): Promise<TResult> {
  let isOver = false
  const next = (): void => {
    burn(5)
    if (!isOver) setImmediate(next)
  }
  next()
  return run().finally(() => {
    isOver = true
  })
}

test('a timer that fires in each turn of a busy process counts as other work', async () => {
  const [calm, busy] = [mount(() => sleep(2)), mount(() => sleep(2))]
  const discover = { workflow: 'flow', action: 'discover' }
  const listed = await askBridge(calm, discover)
  // The first call loads all code for the decision about a step call, so that the next decision is immediate.
  expect(await askBridge(calm, { workflow: 'flow', step: 'asked' })).toMatchObject({ status: 200 })
  expect(await onBusyLoop(() => askBridge(busy, discover))).toEqual(listed)
  expect(await askBridge(busy, { workflow: 'flow', step: 'asked' })).toMatchObject({ status: 200 })
})

test('a blocked thread does not count as inactivity of the function', async () => {
  const bridge = mount(async () => {
    await sleep(100)
    await turn()
  })
  await askBridge(bridge, { workflow: 'flow', action: 'discover' })
  setTimeout(() => burn(700), 50)
  expect(await askBridge(bridge, { workflow: 'flow', step: 'asked' })).toMatchObject({ status: 200 })
})

import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { askBridge } from '../call-bridge.fixture.ts'
import { createBridge } from '../http/create-bridge.ts'
import { workflow } from '../workflow/workflow.ts'

const flags = Array.from({ length: 8 }, (_, index) => `flag${index}`)
const payloadSchema = z.object(Object.fromEntries(flags.map((name) => [name, z.boolean()])))

/** A workflow of eight conditions, each run of which takes as long as the clock says. */
function mount(clock: { nowMs: number; runMs: number }, turn: () => Promise<unknown> = async () => undefined) {
  vi.spyOn(performance, 'now').mockImplementation(() => clock.nowMs)
  let runs = 0
  const slow = workflow(
    'slow',
    async ({ step, payload }) => {
      runs++
      clock.nowMs += clock.runMs
      await turn()
      for (const name of flags) if (payload[name]) await step.sms(name, () => ({ body: 'x' }))
      await step.sms('last', () => ({ body: 'x' }))
    },
    { payloadSchema },
  )
  const bridge = createBridge({
    workflows: [slow],
    strictAuthentication: false,
    logger: { warn: () => undefined, error: () => undefined },
    timeoutMs: 60_000,
  })
  return {
    countRuns: () => runs,
    async discover() {
      const { status, body } = await askBridge(bridge, { action: 'discover' })
      const [{ steps, warnings = [] }] = body.workflows
      return { status, steps: steps.length, warnings: warnings.map(({ message }: { message: string }) => message) }
    },
  }
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe('a discovery that ran out of time', () => {
  it('says so, and is tried again by the next discover until all is found', async () => {
    const clock = { nowMs: 0, runMs: 500 }
    const { discover, countRuns } = mount(clock)
    const first = await discover()
    expect([first.status, first.warnings]).toEqual([200, [expect.stringContaining('ran out of time after')]])
    expect(countRuns()).toBeLessThan(20)
    clock.runMs = 1
    expect(await discover()).toEqual({ status: 200, steps: 9, warnings: [] })
    const done = countRuns()
    expect(await discover()).toEqual({ status: 200, steps: 9, warnings: [] })
    expect(countRuns()).toBe(done)
  })

  it('goes on where it ended', async () => {
    const quick = mount({ nowMs: 0, runMs: 1 })
    await quick.discover()
    const enough = quick.countRuns()
    vi.restoreAllMocks()
    const slow = mount({ nowMs: 0, runMs: 300 })
    let calls = 0
    let found: number[] = []
    for (let isLate = true; isLate; calls++) {
      const { steps, warnings } = await slow.discover()
      found = [...found, steps]
      isLate = warnings.length > 0
    }
    expect(calls).toBeGreaterThan(2)
    expect(found).toEqual(found.toSorted((left, right) => left - right))
    // Once for each call it is tried whether a sample gives the same steps again.
    expect(slow.countRuns()).toBeLessThanOrEqual(enough + calls)
  })

  it('is not tried again where the function awaits other work, since each run may have an effect', async () => {
    const clock = { nowMs: 0, runMs: 1500 }
    const { discover, countRuns } = mount(clock, () => new Promise((resolve) => setTimeout(resolve, 40)))
    await discover()
    const done = countRuns()
    expect(done).toBeLessThanOrEqual(4)
    await discover()
    expect(countRuns()).toBe(done)
  })
})

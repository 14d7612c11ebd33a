import { readFileSync } from 'node:fs'
import { workflow } from '@trestle/core'
import { testBridge } from '@trestle/testing'
import '@trestle/testing/vitest'
import { expect, test } from 'vitest'

const weekly = workflow('weekly', async ({ step, payload }) => {
  const { total } = await step.custom('prices', () => ({ total: 3 }))
  const { events } = await step.digest('collect', () => ({ amount: 7, unit: 'days' }))
  await step.email('mail', () => ({ subject: `${events.length} orders`, body: `<p>${total} EUR</p>` }))
  await step.inApp('inbox', () => ({ body: 'Your week' }), { skip: () => payload['quiet'] === true })
  await step.delay('wait', () => ({ amount: 1, unit: 'hours' }))
})

// From here
test('covers a week of orders', async () => {
  const bridge = testBridge({ workflows: [weekly], now: '2026-01-01T00:00:00Z' })
  const run = await bridge.run(weekly, {
    payload: { quiet: true },
    triggers: [{ payload: {}, afterMs: 60_000 }],
    doubles: { prices: (controls) => ({ total: 42, controls }) },
  })
  expect(run).toHaveCompleted()
  expect(run.steps['collect']).toMatchObject({ endsAt: '2026-01-08T00:00:00.000Z', result: { eventCount: 2 } })
  expect(run).toHaveSent('email', { subject: '2 orders', body: '<p>42 EUR</p>' })
  expect(run).toHaveSkipped('inbox')
  expect(run.steps['wait']?.endsAt).toBe('2026-01-08T01:00:00.000Z')
})
// To here

test('tests five steps in at most fifteen lines', () => {
  const [, lines = ''] = readFileSync(new URL(import.meta.url), 'utf8').split(/^\/\/ (?:From|To) here\n/m)
  expect(lines.trim().split('\n').length).toBeLessThanOrEqual(15)
})

test('needs less than 100 ms of processor time', async () => {
  const times: number[] = []
  for (let turn = 0; turn < 5; turn++) {
    // Processor time instead of wall-clock time, so that other work on the machine does not matter.
    const start = process.cpuUsage()
    await testBridge({ workflows: [weekly] }).run(weekly, { payload: { quiet: true } })
    const { user, system } = process.cpuUsage(start)
    times.push((user + system) / 1000)
  }
  expect(times.sort((left, right) => left - right)[2]).toBeLessThan(50)
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mock } from 'node:test'

import { agent } from '@trestle/core/agents'
import { afterEach, expect, test, vi } from 'vitest'
import type { ConversationReport } from '../report/conversation-report.ts'
import { testBridge } from '../simulator/test-bridge.ts'

// Saved before the timers are faked.
const realSetImmediate = setImmediate
vi.setConfig({ testTimeout: 5000 })

const all = [
  ...(['Date', 'performance', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const),
  ...(['setImmediate', 'clearImmediate', 'queueMicrotask'] as const),
]
const now = new Date('2026-03-03T00:00:00Z')
const patient = agent('patient', {
  onMessage: async ({ reply }) => {
    await new Promise((resolve) => setImmediate(resolve))
    await new Promise((resolve) => setTimeout(resolve, 30_000))
    await reply(new Date().toISOString())
  },
  onResolve: () => new Promise(() => undefined),
})
const talk = (): Promise<ConversationReport> =>
  testBridge({ agents: [patient], logger: { warn() {}, error() {} } }).converse(patient, ['x', { resolve: true }])

afterEach(() => {
  vi.useRealTimers()
  mock.timers.reset()
})

test.each<[string, () => void]>([
  ['of Vitest', () => vi.useFakeTimers({ now })],
  ['of Vitest, for the clock only', () => vi.useFakeTimers({ now, toFake: ['Date'] })],
  ['of Vitest, for all there is', () => vi.useFakeTimers({ now, toFake: all })],
  ['of Node', () => mock.timers.enable({ apis: ['Date', 'setTimeout', 'setInterval', 'setImmediate'], now })],
])('completes a conversation with the fake timers %s, on their clock', async (_whose, fake) => {
  fake()
  const faked = globalThis.setTimeout
  const { said, failures } = await talk()
  expect(said.map(({ text }) => text)).toEqual(['2026-03-03T00:00:30.000Z'])
  expect(failures).toMatchObject([{ code: 'TurnTimedOut' }])
  expect(globalThis.setTimeout).toBe(faked)
})

test('an endless conversation does not affect the clock of later tests', async () => {
  const server = createServer(() => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const stuck = agent('stuck', { onMessage: () => fetch(url) })
  const realDate = globalThis.Date
  try {
    vi.useFakeTimers({ now })
    void testBridge({ agents: [stuck], logger: { warn() {}, error() {} } }).converse(stuck, ['x'])
    await new Promise((resolve) => realSetImmediate(resolve))
    // As at the end of a test that timed out.
    vi.useRealTimers()
    expect(globalThis.Date).toBe(realDate)
    const { said } = await testBridge({ agents: [patient] }).converse(patient, ['x'], { now: '2026-01-01T00:00:00Z' })
    expect(said.map(({ text }) => text)).toEqual(['2026-01-01T00:00:30.000Z'])
    vi.useFakeTimers({ now })
    expect((await talk()).said.map(({ text }) => text)).toEqual(['2026-03-03T00:00:30.000Z'])
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

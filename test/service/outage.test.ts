import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type BridgeSettings, createBridgePort } from '../../packages/service/src/bridge/bridge-port.ts'
import { createManualClock } from '../../packages/service/src/clock/manual-clock.ts'
import { createTestEngine, type TestEngine } from '../../packages/service/src/engine/engine.fixture.ts'
import { shareEngine } from '../../packages/service/src/engine/share-engine.fixture.ts'
import { drivers } from '../../packages/service/src/store/stores.fixture.ts'
import { someOf } from '../scope.ts'
import { type Disturbance, type RecordingBridge, startRecordingBridge } from './recording-bridge.ts'

const tenMinutes = 10 * 60
const startMs = Date.parse('2026-01-01T00:00:00Z')
const steps = [
  { stepId: 'ask', type: 'custom', outputs: { n: 1 } },
  { stepId: 'mail', type: 'email', outputs: { subject: 's', body: 'b' } },
] as const

interface Outage {
  /** How the bridge responds to calls of the disturbed workflow. */
  readonly disturbance: Disturbance
  /** The error code of both steps. */
  readonly code: string
  /** How many times a step is called. */
  readonly attempts: number
}

const outages: readonly (readonly [string, Outage])[] = [
  ['is down', { disturbance: { isCut: true }, code: 'ECONNRESET', attempts: 4 }],
  [
    'is behind a proxy that finds it down',
    { disturbance: { status: 502, body: 'Bad gateway' }, code: 'BridgeEndpointNotFound', attempts: 4 },
  ],
  // Longer than the test; the timeout uses the injected clock.
  ['is too slow', { disturbance: { delayMs: 600_000 }, code: 'BridgeRequestTimeout', attempts: 4 }],
  ['answers garbage', { disturbance: { status: 200, body: '<html>' }, code: 'ResponseParseError', attempts: 1 }],
  ['answers 401', { disturbance: { status: 401, body: '{}' }, code: 'BridgeAuthenticationFailed', attempts: 1 }],
]

describe.each(drivers)('on %s, for ten minutes', (driver) => {
  const shared = shareEngine()
  const clock = createManualClock(startMs)
  let testEngine: TestEngine
  let bridge: RecordingBridge
  let isSlow = false

  beforeAll(async () => {
    bridge = await startRecordingBridge({ bad: steps, good: steps })
    const settings: BridgeSettings = {
      policy: 'off',
      sleep: (ms, signal) => clock.sleep(ms, signal),
      startTimer(ms, onTimeout) {
        // The clock advances by milliseconds, because a real socket on a busy machine needs that time to respond.
        if (!isSlow) return () => undefined
        const stopped = new AbortController()
        void clock.sleep(ms, stopped.signal).then(() => {
          if (!stopped.signal.aborted) onTimeout()
        })
        return () => stopped.abort()
      },
    }
    const options = { bridge: createBridgePort(settings), bridgeUrl: bridge.url, clock, concurrency: 100 }
    // A lane of four, so that ten minutes of triggers far exceed it.
    const engine = { calls: 16, callsPerWorkflow: 4, requeueDelayMs: 1000 }
    await createTestEngine(driver, shared.context, { ...options, engine }).then(
      async (one) => {
        testEngine = one
        for (const name of ['bad', 'good']) await testEngine.addWorkflow(name, steps)
      },
      (error) => {
        if (shared.why() === '') throw error
      },
    )
  }, 120_000)
  afterAll(async () => {
    await shared.end()
    await bridge.close()
  })
  beforeEach(({ skip }) => {
    if (shared.why() !== '') skip(shared.why())
  })

  test.each(someOf(outages, 1))(
    'a bridge that %s delays no other workflow, and fails as expected',
    async (name, outage) => {
      isSlow = outage.code === 'BridgeRequestTimeout'
      bridge.calls.length = 0
      bridge.disturb = (workflowId) => (workflowId === 'bad' ? outage.disturbance : undefined)
      const started: string[] = []
      const everySeconds = driver === 'sqlite' ? 15 : 60
      for (let second = 0; second < tenMinutes; second += everySeconds) {
        const to = `${name}-${second}`
        started.push(
          ...(await trigger(
            'bad',
            [1, 2, 3, 4].map((one) => `${to}-${one}`),
          )),
        )
        const [good = ''] = await trigger('good', [to])
        // The clock does not advance until the work is done.
        await expectEnd(good)
        for (let step = 0; step < everySeconds; step++) {
          clock.advance(1000)
          await pause(0)
        }
      }
      bridge.disturb = () => undefined
      await finish()
      const jobs = await testEngine.store.db
        .selectFrom('jobs')
        .innerJoin('runs', 'runs.id', 'jobs.runId')
        .select(['jobs.id', 'jobs.status', 'jobs.error', 'jobs.calledAt', 'jobs.endedAt'])
        .where('runs.transactionId', 'in', started)
        .where('runs.createdAt', '<', clock.now() - 1000)
        .execute()
      expect(jobs.every(({ status }) => status === 'failed' || status === 'completed')).toBe(true)
      const failed = jobs.filter(({ status }) => status === 'failed')
      expect(failed.length).toBeGreaterThan(20)
      const codes = new Set(failed.map(({ error }) => (JSON.parse(error ?? '{}') as { code: string }).code))
      expect([...codes]).toEqual([outage.code])
      const counts = new Map<string, number>()
      for (const { jobId } of bridge.calls) counts.set(jobId, (counts.get(jobId) ?? 0) + 1)
      expect(failed.filter(({ id }) => counts.get(id) !== outage.attempts)).toEqual([])
      // Work that started after the bridge recovered, or whose last attempts were after that, succeeded.
      const [last = ''] = await trigger('bad', [`${name}-after`])
      await expectEnd(last)
      expect(await statusOf(last)).toBe('completed')
    },
    120_000,
  )

  async function trigger(name: string, recipients: readonly string[]): Promise<readonly string[]> {
    const requests = recipients.map((to) => ({ name, to }))
    const { environmentId } = testEngine.target
    const results = await testEngine.engine.accept({ environmentId, kind: 'bulk', requests })
    return results.map((result) => result?.transactionId ?? '')
  }

  async function statusOf(transactionId: string): Promise<string | undefined> {
    const run = await testEngine.store.db
      .selectFrom('runs')
      .select('status')
      .where('transactionId', '=', transactionId)
      .executeTakeFirst()
    return run?.status
  }

  async function expectEnd(transactionId: string): Promise<void> {
    const endMs = Date.now() + 10_000
    while (!['completed', 'failed'].includes((await statusOf(transactionId)) ?? '')) {
      if (Date.now() > endMs) throw new Error('a healthy run is held up')
      await pause(2)
    }
  }

  async function finish(): Promise<void> {
    while ((await testEngine.queue.size()) > 0) {
      clock.advance(1000)
      await pause(5)
    }
  }
})

import { execFile } from 'node:child_process'
import { scrypt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep, setInterval as tick } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type AgentContext, agent } from '@trestle/core/agents'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { testBridge } from '../simulator/test-bridge.ts'

const minuteMs = 60_000
// A module saved it before the test kit could replace it.
const keptSetTimeout = setTimeout
const logger = { warn: vi.fn(), error: vi.fn() }
const now = '2026-01-01T10:00:00.000Z'

/** Runs a conversation with an agent, and returns what the agent said and how long the test waited. */
async function talk(
  onMessage: (context: AgentContext & { readonly message: { readonly text: string } }) => unknown,
  options: {
    readonly timeoutMs?: number
    readonly turns?: readonly (string | { message: string; afterMs: number })[]
  } = {},
) {
  const { timeoutMs = 60 * minuteMs, turns = ['go'] } = options
  const timed = agent('timed', { timeoutMs, onMessage: onMessage as never })
  const startMs = performance.now()
  const report = await testBridge({ agents: [timed], logger }).converse(timed, turns, { now })
  const said = report.said.map(({ text, markdown }) => text ?? markdown)
  return { ...report, said, realMs: performance.now() - startMs }
}

const waits: readonly (readonly [string, (ms: number) => Promise<unknown>])[] = [
  ['setTimeout', (ms) => new Promise((resolve) => setTimeout(resolve, ms))],
  ['globalThis.setTimeout', (ms) => new Promise((resolve) => globalThis.setTimeout(resolve, ms))],
  ['sleep of node:timers/promises', (ms) => sleep(ms)],
  ['promisify(setTimeout)', (ms) => promisify(setTimeout)(ms)],
  [
    'setInterval',
    (ms) =>
      new Promise<void>((resolve) => {
        let left = 3
        const timer = setInterval(() => {
          if (--left > 0) return
          clearInterval(timer)
          resolve()
        }, ms / 3)
      }),
  ],
  [
    'setInterval of node:timers/promises',
    async (ms) => {
      let left = 3
      for await (const _ of tick(ms / 3)) if (--left === 0) break
    },
  ],
  [
    'AbortSignal.timeout',
    (ms) => new Promise((resolve) => AbortSignal.timeout(ms).addEventListener('abort', resolve, { once: true })),
  ],
]

describe('a turn that waits takes no time', () => {
  test.each(waits)('%s of ten minutes', async (_name, wait) => {
    const { said, realMs } = await talk(async ({ reply }) => {
      const [startMs, start] = [Date.now(), performance.now()]
      await wait(9 * minuteMs)
      await reply(`${Date.now() - startMs} ${performance.now() - start} ${new Date().toISOString()}`)
    })
    expect(said).toEqual([`540000 540000 2026-01-01T10:09:00.000Z`])
    expect(realMs).toBeLessThan(10_000)
  })

  test('fires timers in chronological order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(minuteMs), { minLength: 1, maxLength: 20 }), async (delays) => {
        const fired: (readonly [number, number])[] = []
        const { failures } = await talk(async () => {
          const startMs = Date.now()
          await Promise.all(
            delays.map(async (ms, index) => {
              await new Promise((resolve) => setTimeout(resolve, ms))
              fired.push([Date.now() - startMs, index])
            }),
          )
        })
        const expected = delays.map((ms, index) => [ms, index] as const).sort((a, b) => a[0] - b[0] || a[1] - b[1])
        expect([fired, failures]).toEqual([expected, []])
      }),
      { numRuns: 15 },
    )
  })

  test('shows a stream with pauses as it grows, half a second apart', async () => {
    const { said, turns, realMs } = await talk(async ({ reply }) => {
      await reply(
        (async function* () {
          for (const word of 'one two three four five'.split(' ')) {
            yield `${word} `
            await sleep(30_000)
          }
        })(),
      )
    })
    expect(said).toEqual(['one two three four five '])
    const replies = turns[0]?.replies.map((reply) =>
      'edit' in reply ? reply.edit : (reply as { reply: object }).reply,
    )
    expect(replies).toMatchObject([
      { markdown: 'one ' },
      { markdown: 'one two ' },
      { markdown: 'one two three ' },
      { markdown: 'one two three four ' },
      { markdown: 'one two three four five ' },
    ])
    expect(realMs).toBeLessThan(10_000)
  })

  test.each<[string, number, () => Promise<unknown>]>([
    ['hangs', minuteMs, () => new Promise(() => undefined)],
    ['sleeps beyond it', minuteMs, () => sleep(2 * minuteMs)],
    [
      'waits in a loop',
      1000,
      async () => {
        for (;;) await sleep(0)
      },
    ],
  ])('stops an agent that %s at its timeoutMs', async (_name, timeoutMs, wait) => {
    const { failures, realMs } = await talk(() => wait(), { timeoutMs })
    expect(failures).toMatchObject([{ code: 'TurnTimedOut' }])
    expect(realMs).toBeLessThan(10_000)
  })

  test('aborts the signal at timeoutMs, and ends waits that use it', async () => {
    const seen: unknown[] = []
    const { failures } = await talk(
      async ({ signal }) => {
        const startMs = Date.now()
        await sleep(9 * minuteMs, undefined, { signal }).catch((error: Error) =>
          seen.push(error.name, Date.now() - startMs),
        )
      },
      { timeoutMs: minuteMs },
    )
    expect([failures[0]?.code, seen]).toEqual(['TurnTimedOut', ['AbortError', minuteMs]])
  })

  test('does not fire a cleared timer, by handle or by number', async () => {
    const fired: string[] = []
    await talk(async () => {
      clearTimeout(setTimeout(() => fired.push('handle'), 10))
      clearTimeout(Number(setTimeout(() => fired.push('number'), 10)))
      clearInterval(setInterval(() => fired.push('interval'), 10))
      setTimeout(() => fired.push('closed'), 10).close()
      setTimeout(() => fired.push('kept'), 10).unref()
      await sleep(minuteMs)
    })
    expect(fired).toEqual(['kept'])
  })

  test('fires timers left by a turn when a later turn reaches their time', async () => {
    const fired: string[] = []
    await talk(
      ({ message }) => {
        if (message.text === 'go') setTimeout(() => fired.push(new Date().toISOString()), 5 * minuteMs)
        else fired.push(message.text)
      },
      {
        turns: ['go', { message: 'early', afterMs: 4 * minuteMs }, { message: 'late', afterMs: 2 * minuteMs }],
      },
    )
    expect(fired).toEqual(['early', '2026-01-01T10:05:00.000Z', 'late'])
  })

  test('starts the next turn after this one has ended', async () => {
    const { turns } = await talk(() => sleep(minuteMs), { turns: ['go', { message: 'again', afterMs: 1000 }] })
    expect(turns.map(({ at }) => at)).toEqual(['2026-01-01T10:00:00.000Z', '2026-01-01T10:01:01.000Z'])
  })
})

let unseen: Promise<unknown>

describe('waits for external work', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['a file', () => readFile(new URL(import.meta.url), 'utf8')],
    ['the event loop', () => loops(50)],
    ['a computation of a thread', () => compute()],
    ['a process', () => promisify(execFile)(process.execPath, ['-e', 'setTimeout(() => {}, 1300)'])],
    ['a timer that a module has kept', () => new Promise((resolve) => keptSetTimeout(resolve, 1400))],
    ['a server on this machine', () => askServer(1400)],
    ['what nobody can see', () => unseen],
  ])('%s', async (_name, wait) => {
    unseen = new Promise((resolve) => keptSetTimeout(resolve, 500))
    const { said, failures } = await talk(async ({ reply }) => {
      await wait()
      await reply('done')
    })
    expect([said, failures]).toEqual([['done'], []])
  })

  test('and skips time again afterwards', async () => {
    const { said, realMs } = await talk(async ({ reply }) => {
      await readFile(new URL(import.meta.url), 'utf8')
      await sleep(minuteMs)
      await reply(new Date().toISOString())
    })
    expect(said).toEqual(['2026-01-01T10:01:00.000Z'])
    expect(realMs).toBeLessThan(10_000)
  })
})

test('keeps real timers outside a conversation, even while one is running', async () => {
  const before = [globalThis.setTimeout, globalThis.clearTimeout, AbortSignal.timeout, performance.now]
  let outside = 0
  const everyMs = 5
  const startMs = performance.now()
  const timer = setInterval(() => outside++, everyMs)
  await talk(async () => {
    await readFile(new URL(import.meta.url))
    await sleep(minuteMs)
  })
  clearInterval(timer)
  expect(outside).toBeLessThanOrEqual((performance.now() - startMs) / everyMs + 1)
  expect([globalThis.setTimeout, globalThis.clearTimeout, AbortSignal.timeout, performance.now]).toEqual(before)
})

test('rejects a callback that is not a function, as Node does', async () => {
  const { said } = await talk(async ({ reply }) => {
    try {
      setTimeout('code' as never, 5)
    } catch (error) {
      await reply((error as { code: string }).code)
    }
  })
  expect(said).toEqual(['ERR_INVALID_ARG_TYPE'])
})

function compute(): Promise<unknown> {
  return new Promise((resolve) => scrypt('a', 'b', 32, { N: 2 ** 17, maxmem: 2 ** 28 }, resolve))
}

async function loops(count: number): Promise<void> {
  for (let loop = 0; loop < count; loop++) await new Promise((resolve) => setImmediate(resolve))
}

async function askServer(ms: number): Promise<void> {
  const server = createServer((_request, response) => void keptSetTimeout(() => response.end('{}'), ms))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    await (await fetch(`http://127.0.0.1:${port}/`)).json()
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

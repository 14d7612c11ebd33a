import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, type TestContext, test, vi } from 'vitest'
import type { StoreDriver } from '../../packages/service/src/store/store.ts'
import { createDatabase } from '../../packages/service/src/store/stores.fixture.ts'
import { findFreePort } from '../free-port.ts'
import { draws, someOf } from '../scope.ts'
import { startServiceProcess } from './service-process.ts'

// A crash is a SIGKILL while users write and events are sent to an agent. The number of crashes per test.
const crashes = draws(2, 30)
const secretKey = 'sk_development_0123456789'
const conversations = 6

interface Seen {
  readonly seen: string
  readonly deliveryId: string
  readonly conversationId: string
}

/** Starts the bridge, and records the events of its agent. */
async function startAgent(context: TestContext, apiUrl: string) {
  // The bridge logs a warning for every reply while no service is running.
  const script = fileURLToPath(new URL('agent-process.mjs', import.meta.url))
  const env = {
    ...process.env,
    NODE_ENV: 'production' as const,
    AGENT_OPTIONS: JSON.stringify({ secretKey, apiUrl, answerMs: 150 }),
  }
  const child = fork(script, { env, stdio: ['ignore', 'inherit', 'ignore', 'ipc'] })
  const exited = once(child, 'exit')
  context.onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
  })
  const seen: Seen[] = []
  let calls = 0
  let onCall = (): void => undefined
  const bridgeUrl = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The bridge ended with ${code}.`)))
    child.on('message', (message: { readonly ready?: string; readonly called?: true } & Partial<Seen>) => {
      if (message.ready !== undefined) resolve(message.ready)
      else if (message.called) {
        calls++
        onCall()
      } else seen.push(message as Seen)
    })
  })
  /** Resolves when the agent has received a call that it has not responded to. */
  const nextCall = (): Promise<void> =>
    new Promise((resolve) => {
      onCall = resolve
    })
  return { bridgeUrl, seen, nextCall, calls: () => calls }
}

async function setUp(driver: StoreDriver, context: TestContext) {
  const database = await createDatabase(driver, context)
  const dataFolder = mkdtempSync(join(tmpdir(), 'trestle-agents-'))
  context.onTestFinished(() => rmSync(dataFolder, { recursive: true, force: true }))
  // The bridge replies to one URL, so every service in the test uses it.
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const agent = await startAgent(context, url)
  const start = async (isMain = true) => {
    const serviceProcess = await startServiceProcess({
      ...database.address,
      dataFolder,
      port: isMain ? port : 0,
      publicUrl: url,
      secretKeys: { Development: secretKey },
    })
    context.onTestFinished(() => serviceProcess.kill())
    return serviceProcess
  }
  const call = async (line: string, body?: object): Promise<Readonly<Record<string, unknown>> | undefined> => {
    const [method = '', path = ''] = line.split(' ', 2)
    const headers = { authorization: `ApiKey ${secretKey}`, 'content-type': 'application/json' }
    const response = await fetch(url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    return response.ok
      ? ((await response.json()) as { readonly data: Readonly<Record<string, unknown>> }).data
      : undefined
  }
  return { agent, start, call, open: () => database.open() }
}

const all = [
  ['sqlite', 'one service'],
  ['postgres', 'one service'],
  ['postgres', 'two services'],
] as const
const scenes = someOf(all, 1)

describe.each(scenes)('conversations on %s, with %s that crash repeatedly', (driver, services) => {
  test(
    'lose no message, and the agent receives each once, in order',
    async (context) => {
      const { agent, start, call, open } = await setUp(driver, context)
      const hasTwo = services === 'two services'
      let living = await start()
      let other = hasTwo ? await start(false) : undefined
      await call('POST /v1/bridge/sync', { bridgeUrl: agent.bridgeUrl })
      const ids: string[] = []
      for (let count = 0; count < conversations; count++) {
        const begun = await call('POST /v1/studio/conversations', { agentId: 'counting' })
        ids.push(String(begun?.['_id']))
      }
      const accepted = new Map<string, string>()
      let isOver = false
      const write = async (id: string): Promise<void> => {
        for (let number = 0; !isOver; number++) {
          const text = `${id} ${number}`
          const answer = await call(`POST /v1/studio/conversations/${id}/messages`, { text }).catch(() => undefined)
          if (answer) accepted.set(text, id)
          await pause(20 + Math.random() * 60)
        }
      }
      const writing = Promise.all(ids.map(write))
      for (let crash = 0; crash < crashes; crash++) {
        const before = accepted.size
        await vi.waitFor(() => expect(accepted.size).toBeGreaterThan(before + conversations), 60_000)
        await pause(Math.random() * 500)
        await agent.nextCall()
        await living.kill()
        if (hasTwo && crash % 2 === 1) {
          await other?.kill()
          other = await start(false)
        }
        living = await start()
      }
      await pause(300)
      isOver = true
      await writing
      const store = open()
      const rows = await vi.waitFor(async () => {
        const all = await store.db.selectFrom('conversationDeliveries').selectAll().orderBy('position').execute()
        expect(all.filter(({ status }) => status === 'pending')).toEqual([])
        return all
      }, 90_000)
      expect(rows.filter(({ status }) => status !== 'acknowledged')).toEqual([])
      expect(accepted.size).toBeGreaterThan(crashes * conversations)
      // A turn starts after the acknowledgement, when previous turns have ended.
      await vi.waitFor(() => expect(agent.seen.length).toBeGreaterThanOrEqual(rows.length), 90_000)
      const texts = agent.seen.map(({ seen }) => seen)
      expect([...accepted.keys()].filter((text) => !texts.includes(text))).toEqual([])
      expect(texts).toHaveLength(new Set(texts).size)
      expect(agent.seen.map(({ deliveryId }) => deliveryId).toSorted()).toEqual(rows.map(({ id }) => id).toSorted())
      for (const id of ids) {
        const numbers = agent.seen
          .filter(({ conversationId }) => conversationId === id)
          .map(({ seen }) => Number(seen.split(' ')[1]))
        expect(numbers).toEqual(numbers.toSorted((left, right) => left - right))
      }
      // Some events were being sent when the service died, and were resent; otherwise the test proves nothing.
      expect(agent.calls()).toBeGreaterThan(rows.length)
      const replies = await store.db
        .selectFrom('conversationMessages')
        .select('text')
        .where('role', '=', 'agent')
        .execute()
      expect(replies).toHaveLength(new Set(replies.map(({ text }) => text)).size)
      expect(replies.length).toBeGreaterThan(0)
    },
    240_000 + crashes * 20_000,
  )
})

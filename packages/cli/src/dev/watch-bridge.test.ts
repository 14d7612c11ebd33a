import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { type BridgeState, watchBridge } from './watch-bridge.ts'

const context = { timeout: 10_000 }
const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

async function watch(listener: RequestListener, { pollMs = 20, patience = 1 } = {}) {
  let asked = 0
  const server = createServer((request, response) => {
    asked++
    listener(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = new AbortController()
  ends.push(() => {
    stop.abort()
    server.closeAllConnections()
    server.close()
  })
  const states: BridgeState[] = []
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/api/bridge`
  const onChange = (state: BridgeState): void => void states.push(state)
  const key = 'sk_of_a_test_environment'
  const ended = watchBridge({ urls: [url], key, pollMs, patience, onChange, signal: stop.signal })
  return { states, asked: () => asked, stop, ended }
}
const answer =
  (body: unknown): RequestListener =>
  (_request, response) =>
    void response.end(JSON.stringify(body))

describe('a watched bridge', () => {
  it('is reported once, and again only after a change', async () => {
    let body: unknown = { workflows: [], agents: [] }
    const { states, asked } = await watch((...args) => answer(body)(...args))
    await expect.poll(asked, context).toBeGreaterThan(5)
    expect(states).toHaveLength(1)
    body = { workflows: [], agents: [{ agentId: 'a' }] }
    await expect.poll(() => states.length, context).toBe(2)
    const seen = asked()
    await expect.poll(asked, context).toBeGreaterThan(seen + 3)
    expect(states.map(({ kind }) => kind)).toEqual(['up', 'up'])
  })

  it('that fails is called less and less often', async () => {
    const { states, asked } = await watch((_request, response) => void response.writeHead(500).end())
    await sleep(1500)
    // A check every 20 ms would make 75 calls.
    expect(asked()).toBeLessThan(20)
    expect(states).toEqual([expect.objectContaining({ kind: 'failing' })])
  })

  it('is not reported as down during a restart, only if it stays down', async () => {
    const app = answer({ workflows: [], agents: [] })
    let isAway = false
    const { states, asked } = await watch(
      (request, response) => (isAway ? void response.destroy() : app(request, response)),
      { patience: 8 },
    )
    await expect.poll(asked, context).toBeGreaterThan(1)
    isAway = true
    const seen = asked()
    await expect.poll(asked, context).toBeGreaterThan(seen + 3)
    isAway = false
    await expect.poll(asked, context).toBeGreaterThan(seen + 6)
    expect(states.map(({ kind }) => kind)).toEqual(['up'])
    isAway = true
    await expect.poll(() => states.map(({ kind }) => kind), context).toEqual(['up', 'failing'])
  })

  it('that is slow is called for at most a tenth of the time', async () => {
    const { asked } = await watch(
      (request, response) => void setTimeout(() => answer({ workflows: [], agents: [] })(request, response), 100),
    )
    await sleep(1500)
    expect(asked()).toBeLessThan(4)
  })

  it('is called at its other address if nothing listens at the first', async () => {
    const gone = createServer()
    await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve))
    const { port } = gone.address() as AddressInfo
    await new Promise((resolve) => gone.close(resolve))
    const urls = [`http://127.0.0.1:${port}/api/bridge`, `http://[::1]:${port}/api/bridge`] as const
    const stop = new AbortController()
    ends.push(() => stop.abort())
    const seen: unknown[] = []
    const onChange = ({ kind }: BridgeState, url: string): void => void seen.push([kind, url])
    void watchBridge({ urls, key: 'sk_of_a_test_environment', pollMs: 20, onChange, signal: stop.signal })
    await expect.poll(() => seen, context).toEqual([['failing', urls[0]]])
    const server = createServer(answer({ workflows: [], agents: [] }))
    await new Promise<void>((resolve) => server.listen(port, '::1', resolve))
    ends.push(() => {
      server.closeAllConnections()
      server.close()
    })
    await expect.poll(() => seen.at(-1), context).toEqual(['up', urls[1]])
  })

  it('is no longer called after the signal aborts', async () => {
    const { stop, ended, states } = await watch(() => undefined)
    stop.abort()
    await ended
    expect(states).toEqual([])
  })
})

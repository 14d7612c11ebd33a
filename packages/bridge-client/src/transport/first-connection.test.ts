import { connect as connectSocket, Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createTestClient, failingSocket, failureOf } from '../../fixtures/client.ts'
import { json, serveHttp } from '../../fixtures/server.ts'
import { openFirstConnection } from './first-connection.ts'

const reply = { workflows: [] }
const dead = ['8.8.8.1', '8.8.8.2', '8.8.8.3']

/** Sockets by address; connections to unlisted addresses never complete. */
function network(socketFactories: Readonly<Record<string, () => Socket>>) {
  const opened = new Map<string, Socket>()
  const connect = ({ address }: { address: string }) => {
    const socket = socketFactories[address]?.() ?? new Socket()
    opened.set(address, socket)
    return socket
  }
  return { connect, opened }
}

describe('a name with several addresses', () => {
  it.each([
    ['a dead one and a live one', ['8.8.8.1', '8.8.4.4']],
    ['three dead ones and a live one', [...dead, '8.8.4.4']],
    ['a live one and a dead one', ['8.8.4.4', '8.8.8.1']],
  ])('is reached at %s, within the time of one attempt', async (_what, addresses) => {
    const { port, received } = await serveHttp(json(200, reply))
    const { connect, opened } = network({ '8.8.4.4': () => connectSocket(port, '127.0.0.1') })
    const client = createTestClient({ lookup: async () => addresses, connect })
    await expect(client.discover()).resolves.toEqual(reply)
    expect(client.waits).toEqual([])
    expect(received).toHaveLength(1)
    expect([...opened.values()].filter((socket) => !socket.destroyed)).toEqual([])
  })

  it('tries the next address immediately if one refuses, and reports the last error', async () => {
    const { connect, opened } = network({
      '8.8.8.1': () => failingSocket('ECONNREFUSED'),
      '8.8.8.2': () => {
        throw Object.assign(new Error('no'), { code: 'EADDRNOTAVAIL' })
      },
      '8.8.8.3': () => failingSocket('EHOSTUNREACH'),
    })
    const client = createTestClient({ lookup: async () => dead, connect })
    const failure = await failureOf(client.discover())
    expect(failure).toMatchObject({ code: 'EHOSTUNREACH', cause: { address: '8.8.8.3' } })
    expect([...opened.keys()]).toEqual(['8.8.8.1', '8.8.8.3'])
  })

  it('gives ETIMEDOUT if all addresses time out, and closes every socket', async () => {
    const { connect, opened } = network({})
    const client = createTestClient({ lookup: async () => dead, connect, timeoutMs: 700 })
    expect((await failureOf(client.healthCheck())).code).toBe('ETIMEDOUT')
    expect([...opened.keys()]).toEqual(dead)
    expect([...opened.values()].every((socket) => socket.destroyed)).toBe(true)
  })

  it('is rejected as a whole if one address is blocked, before connecting', async () => {
    const { connect, opened } = network({})
    const client = createTestClient({ lookup: async () => [...dead, '10.0.0.1'], connect })
    expect((await failureOf(client.discover())).code).toBe('PRIVATE_IP')
    expect(opened.size).toBe(0)
  })

  it('is rejected for a blocked address even beyond the addresses that are tried', async () => {
    const many = Array.from({ length: 100 }, (_, index) => `8.8.8.${index}`)
    const { connect, opened } = network({})
    const client = createTestClient({ lookup: async () => [...many, '10.0.0.1'], connect })
    expect((await failureOf(client.discover())).code).toBe('PRIVATE_IP')
    expect(opened.size).toBe(0)
  })

  it('tries at most sixteen addresses', async () => {
    const many = Array.from({ length: 100 }, (_, index) => `8.8.8.${index}`)
    const client = createTestClient({ lookup: async () => many, fails: 'ECONNREFUSED' })
    expect((await failureOf(client.discover())).code).toBe('ECONNREFUSED')
    expect(client.connections).toHaveLength(32)
  })

  it('sends the call once, even if two connections are established at the same time', async () => {
    const { port, received } = await serveHttp(json(200, reply))
    const timers: (() => void)[] = []
    const { connect, opened } = network({
      '8.8.8.1': () => connectSocket(port, '127.0.0.1'),
      '8.8.8.2': () => connectSocket(port, '127.0.0.1'),
    })
    const result = openFirstConnection(['8.8.8.1', '8.8.8.2'], 80, {
      connect,
      startTimer: (_ms, onTimeout) => {
        timers.push(onTimeout)
        return () => {}
      },
      signal: new AbortController().signal,
    })
    for (const fire of timers) fire()
    const connection = await result
    if ('fault' in connection) throw new Error('no connection')
    expect(opened.size).toBe(2)
    expect([...opened.values()].filter((socket) => !socket.destroyed)).toEqual([connection.socket])
    connection.socket.destroy()
    expect(received).toHaveLength(0)
  })
})

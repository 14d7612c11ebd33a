import { Agent, get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { describe, expect, type TestContext, test } from 'vitest'
import { startTestService } from './service.fixture.ts'

function open(context: TestContext, port: string): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1', () => resolve(socket))
    socket.on('error', () => undefined)
    context.onTestFinished(() => void socket.destroy())
  })
}

describe('a stop', () => {
  const graceMs = 8000
  const measure = async (work: Promise<unknown>) => {
    const startedMs = performance.now()
    await work
    return performance.now() - startedMs
  }

  test('does not wait for connections that have sent nothing, or nothing more', async (context) => {
    const { service } = await startTestService('sqlite', context, { stopGraceMs: graceMs })
    const { port } = new URL(service.url)
    await open(context, port)
    const used = await open(context, port)
    const answered = new Promise((resolve) => used.once('data', resolve))
    used.write(`GET /health HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)
    await answered
    expect(await measure(service.stop())).toBeLessThan(graceMs / 2)
  })

  test('waits for the answers that are under way, and for nothing after them', async (context) => {
    let go = (): void => undefined
    let arrived = (): void => undefined
    const inside = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const held = new Promise<void>((resolve) => {
      go = resolve
    })
    const slow = async () => {
      arrived()
      await held
      return { status: 200, headers: {}, body: 'done' }
    }
    const { service } = await startTestService('sqlite', context, { stopGraceMs: graceMs, mounts: { '/slow': slow } })
    const agent = new Agent({ keepAlive: true })
    context.onTestFinished(() => agent.destroy())
    const reading = new Promise<string>((resolve, reject) => {
      const sent = get(`${service.url}/slow`, { agent }, (response) => {
        response.setEncoding('utf8').on('data', resolve).on('error', reject)
      })
      sent.on('error', reject)
    })
    await inside
    const stopping = measure(service.stop())
    setTimeout(go, 200)
    expect(await reading).toBe('done')
    expect(await stopping).toBeLessThan(graceMs / 2)
  })
})

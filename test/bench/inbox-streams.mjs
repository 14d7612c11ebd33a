import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const streamsPerSubscriber = 10
const atOnce = 50
const secretKey = 'sk_benchmark_0123456789'

/**
 * Starts a service in its own process, on an embedded database, and returns a function that opens inbox streams on it.
 */
export async function openStreams() {
  const child = spawn(process.execPath, [fileURLToPath(new URL('../service/service-process.mjs', import.meta.url))], {
    env: { ...process.env, NODE_ENV: 'production', DATABASE_URL: '', SERVICE_OPTIONS: JSON.stringify(options()) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const url = await new Promise((resolve, reject) => {
    child.once('message', ({ ready }) => resolve(ready))
    child.once('exit', () => reject(new Error('the service did not start')))
  })
  const me = await call(url, '/v1/environments/me', { headers: { authorization: `ApiKey ${secretKey}` } })
  const sockets = []
  let subscribers = 0
  let lost = 0

  async function openSession() {
    subscribers++
    const body = { applicationIdentifier: me.identifier, subscriber: `subscriber-${subscribers}` }
    const headers = { 'content-type': 'application/json' }
    const sent = { method: 'POST', headers, body: JSON.stringify(body) }
    const { token } = await call(url, '/v1/inbox/session', sent)
    return token
  }

  async function openStream(token) {
    const { hostname, port, host } = new URL(url)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    socket.on('close', () => lost++)
    socket.write(`GET /v1/inbox/events HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\n\r\n`)
    const first = await new Promise((resolve, reject) => {
      socket.once('data', resolve)
      socket.once('close', () => reject(new Error('a stream was closed before its first byte')))
    })
    if (!String(first).startsWith('HTTP/1.1 200'))
      throw new Error(`a stream was refused: ${String(first).slice(0, 300)}`)
    socket.resume()
    sockets.push(socket)
  }

  return {
    pid: child.pid,
    lost: () => lost,
    rest: (seconds) => pause(seconds * 1000),
    async open(count) {
      for (let opened = 0; opened < count; opened += streamsPerSubscriber) {
        const token = await openSession()
        const those = Math.min(streamsPerSubscriber, count - opened)
        await Promise.all(Array.from({ length: those }, () => openStream(token)))
        if (opened % atOnce === 0) await pause(20)
      }
    },
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
      for (const socket of sockets) socket.destroy()
    },
  }
}

const options = () => ({
  ...{ port: 0, logLevel: 'silent', databaseFile: ':memory:', secretKeys: { Development: secretKey }, plan: 'off' },
  encryptionKey: randomBytes(32).toString('base64'),
})

async function call(url, path, sent) {
  const response = await fetch(url + path, sent)
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  return JSON.parse(text).data
}

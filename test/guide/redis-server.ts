import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'vitest'
import { findFreePort } from '../free-port.ts'
import { findInstalled } from '../installed.ts'

export interface RedisServer {
  readonly url: string
  /** Kills it, as in a crash. */
  kill(): Promise<void>
}

/**
 * Starts a Redis server without persistence, and stops it when the test ends. If Redis is not installed, the test is
 * skipped, or fails in CI.
 */
export async function startRedis(context: TestContext): Promise<RedisServer> {
  const program = findInstalled(context, {
    places: ['/usr/bin/redis-server', '/usr/local/bin/redis-server', '/opt/homebrew/bin/redis-server'],
    advice: 'Redis is missing: apt-get install redis-server',
  })
  const folder = mkdtempSync(join(tmpdir(), 'trestle-redis-'))
  const port = await findFreePort()
  const flags = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder]
  const server = spawn(program, flags, { stdio: 'ignore' })
  const kill = (): Promise<void> => end(server)
  context.onTestFinished(async () => {
    await kill()
    rmSync(folder, { recursive: true, force: true })
  })
  for (let tries = 0; !(await answers(port)); tries++) {
    if (tries > 200 || server.exitCode !== null) throw new Error('Redis did not start.')
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  return { url: `redis://127.0.0.1:${port}`, kill }
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const ended = once(server, 'exit')
  server.kill('SIGKILL')
  await ended
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'))
    socket.once('data', (data) => {
      socket.destroy()
      resolve(`${data}`.startsWith('+PONG'))
    })
    socket.once('error', () => resolve(false))
  })
}

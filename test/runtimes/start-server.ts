import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { findFreePort } from '../free-port.ts'

/** Options for starting a server. */
export interface Start {
  /** Its arguments; a function receives the port. */
  readonly args: readonly string[] | ((port: number) => readonly string[])
  readonly path: string
  /** Variables in addition to those of the tests. */
  readonly env?: Readonly<Record<string, string>>
}

/** Starts a server in production mode, waits until it responds, and stops it when the test ends. */
export async function startServer(program: string, { args, path, env: given }: Start): Promise<string> {
  const port = await findFreePort()
  const own = { NODE_ENV: 'production' as const, PORT: String(port), DENO_SERVE_ADDRESS: `tcp:127.0.0.1:${port}` }
  const child = spawn(program, typeof args === 'function' ? args(port) : args, {
    env: { ...process.env, ...own, ...given },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(String(chunk)))
  const url = `http://127.0.0.1:${port}${path}`
  for (let tries = 0; tries < 200; tries++) {
    if (child.exitCode !== null) break
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.status === 200) return url
    await sleep(100)
  }
  throw new Error(`${program} did not answer: ${said.join('')}`)
}

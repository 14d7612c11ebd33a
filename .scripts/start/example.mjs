import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { root } from '../prepare.mjs'

const startTimeoutMs = 15_000

/**
 * Starts the Hono example on a free port, as in production.
 *
 * @param {string} secret - The environment's secret key.
 * @returns {Promise<{ url: string, stop(): void }>} Where the bridge is, and how to end it.
 */
export function startExample(secret) {
  const server = spawn(process.execPath, ['dist/server.js'], {
    cwd: join(root, 'examples/hono'),
    env: { ...process.env, PORT: '0', NODE_ENV: 'production', SERVICE_SECRET_KEY: secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  process.on('exit', () => server.kill())
  let started = false
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The example did not start in time.')), startTimeoutMs)
    let printed = ''
    server.stdout.on('data', (chunk) => {
      printed += chunk
      const url = /http:\/\/\S+/.exec(printed)?.[0]
      if (!url) return
      clearTimeout(timer)
      started = true
      resolve({ url, stop: () => server.kill() })
    })
    server.on('error', reject)
    server.on('exit', (status) => {
      clearTimeout(timer)
      reject(new Error(`The example ended with status ${status}.`))
      // Nothing is left to serve; whoever stops it on purpose is gone before this runs.
      if (started) process.exit(1)
    })
  })
}

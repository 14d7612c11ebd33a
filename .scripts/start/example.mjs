import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { startDev } from '@trestle/cli'
import { root } from '../prepare.mjs'

/**
 * Starts the examples in one app, using the function behind `trestle dev`.
 *
 * @param {{ port?: number, onEvent?: (event: object) => void }} options - The service's port (0 for any free port), and
 * a callback for events.
 * @returns {Promise<{ session: object, bridgeUrl: string }>}
 */
export async function startExample({ port: servicePort, onEvent }) {
  const port = await findFreePort()
  const bridgeUrl = `http://127.0.0.1:${port}/api/bridge`
  const session = await startDev({
    ...(servicePort !== undefined && { port: servicePort }),
    bridgeUrl,
    run: `${JSON.stringify(process.execPath)} server.mjs`,
    cwd: join(root, '.scripts/start'),
    // Every call is signed and verified, as in production.
    env: { ...process.env, PORT: String(port), NODE_ENV: 'production' },
    ...(onEvent && { onEvent }),
  })
  return { session, bridgeUrl }
}

/** Returns a free port outside the ephemeral range, so that no other program is assigned it before the app starts. */
async function findFreePort() {
  for (;;) {
    const port = randomInt(10_000, 32_000)
    const isFree = await new Promise((resolve) => {
      const server = createServer().once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
    })
    if (isFree) return port
  }
}

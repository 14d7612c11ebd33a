import { installPeer } from './moving/install-peer.ts'
import { installFrameworks } from './runtimes/install-frameworks.ts'
import { hasRuntimes, installRuntimes } from './runtimes/install-runtimes.ts'

/**
 * In a complete nightly run, starts to install the dependencies of its tests outside the repository while other tests
 * run. A failed installation is retried and reported by the test that needs the dependency.
 */
export default function setup(): () => Promise<void> {
  const ended = process.env['TEST_INSTALLS'] ? install().catch(() => undefined) : Promise.resolve()
  return () => ended
}

async function install(): Promise<void> {
  await installPeer()
  if (!hasRuntimes) return
  // Some frameworks need a newer Node version, which is installed with the runtimes.
  await installRuntimes()
  for (const set of ['vite', 'nuxt', 'nest-10', 'nest-11'] as const) await installFrameworks(set, [])
}

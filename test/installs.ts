import { installPeer } from './moving/install-peer.ts'
import { installFrameworks } from './runtimes/install-frameworks.ts'
import { hasRuntimes, installRuntimes } from './runtimes/install-runtimes.ts'

/**
 * In a whole nightly run, starts to install what its tests need into folders outside of the repository, while other tests
 * run. What fails here is installed again, and reported, by the test that needs it.
 */
export default function setup(): () => Promise<void> {
  const ended = process.env['TEST_INSTALLS'] ? install().catch(() => undefined) : Promise.resolve()
  return () => ended
}

async function install(): Promise<void> {
  await installPeer()
  if (!hasRuntimes) return
  // The newest frameworks need a Node that comes with the runtimes.
  await installRuntimes()
  for (const set of ['vite', 'nuxt', 'nest-10', 'nest-11'] as const) await installFrameworks(set, [])
}

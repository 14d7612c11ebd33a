import { installPeer } from './moving/install-peer.ts'
import { installFrameworks } from './runtimes/install-frameworks.ts'
import { hasRuntimes, installRuntimes } from './runtimes/install-runtimes.ts'

/**
 * Begins in CI what some tests install into folders of their own, so that it comes while others run. What fails here is
 * installed again, and told, by the test that needs it.
 */
export default function setup(): () => Promise<void> {
  const all = process.env['CI'] && hasRuntimes ? install() : Promise.resolve()
  const ended = all.catch(() => undefined)
  return () => ended
}

async function install(): Promise<void> {
  await installPeer()
  // The newest frameworks ask for a Node that comes with the runtimes.
  await installRuntimes()
  for (const set of ['vite', 'nuxt', 'nest-10', 'nest-11'] as const) await installFrameworks(set, [])
}

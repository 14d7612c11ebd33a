import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installOnce } from '../install-once.ts'

const version = '2.20.1'
const folder = join(tmpdir(), `trestle-peer-${version}`)
const nothing = 'npm:empty-npm-package@1.0.0'

/** Packages that the tested commands never load; two thirds of the command's dependencies. */
const leftOut = [
  ...['@anthropic-ai/claude-agent-sdk', '@babel/parser', '@inkjs/ui', 'cli-highlight', 'cli-table3', 'clipboardy'],
  ...['esbuild', 'figures', 'ink', 'ink-scroll-view', 'inquirer', 'marked', 'react', 'string-width'],
]

const manifest = {
  private: true,
  dependencies: { novu: version, zod: '3.25.76', 'zod-to-json-schema': '3.25.2' },
  overrides: { novu: Object.fromEntries(leftOut.map((name) => [name, nothing])) },
}

/** Loads a module of the legacy packages. */
export const requirePeer: NodeJS.Require = createRequire(join(folder, 'package.json'))

/** The executable of the legacy service's CLI. */
export const peerProgram: string = join(folder, 'node_modules', 'novu', 'dist', 'src', 'index.js')

/** Installs the CLI and the legacy package once into a separate folder; returns the folder. */
export async function installPeer(): Promise<string> {
  await installOnce({ folder, manifest, isInstalled })
  return folder
}

function isInstalled(): boolean {
  return existsSync(join(folder, 'node_modules', '.package-lock.json'))
}

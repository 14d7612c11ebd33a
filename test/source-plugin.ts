import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vitest/config'
import { readJson, root } from './repository.ts'

type Exports = Readonly<Record<string, { readonly default?: string } | undefined>>

/**
 * Resolves the packages of this repository to their sources, so that nothing has to be built. The studio is excluded,
 * because its entry point is the folder of its build.
 */
export const ownSource: Plugin = { name: 'own-source', enforce: 'pre', resolveId: (id) => toSource(id) }

function toSource(id: string): string | undefined {
  const [, folder = '', entry = ''] = /^@trestle\/([\w-]+)(\/.*)?$/.exec(id) ?? []
  const file = join(root, 'packages', folder, 'package.json')
  if (folder === '' || folder === 'studio' || !existsSync(file)) return undefined
  const { exports } = readJson(file) as { readonly exports: Exports }
  const built = exports[`.${entry}`]?.default
  return built && join(root, 'packages', folder, built.replace('./dist/', 'src/').replace(/\.js$/, '.ts'))
}

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// npm run watch: runs what a change touches. Packages import each other's source, so nothing has to be built before;
// the tests that are about what is built (test/) belong to npm test.

const root = fileURLToPath(new URL('..', import.meta.url))

/** The source file behind an entry of one of our packages. */
function toSource(id: string): string | undefined {
  const [, folder = '', entry = ''] = /^@trestle\/([\w-]+)(\/.*)?$/.exec(id) ?? []
  const file = join(root, 'packages', folder, 'package.json')
  if (folder === '' || !existsSync(file)) return undefined
  const { exports } = JSON.parse(readFileSync(file, 'utf8')) as {
    exports: Record<string, { default?: string } | undefined>
  }
  const built = exports[`.${entry}`]?.default
  return built && join(root, 'packages', folder, built.replace('./dist/', 'src/').replace(/\.js$/, '.ts'))
}

export default defineConfig({
  root,
  plugins: [{ name: 'our-source', enforce: 'pre', resolveId: (id) => toSource(id) }],
  test: { include: ['packages/*/src/**/*.test.ts'], testTimeout: 20_000 },
})

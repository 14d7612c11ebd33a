import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { root } from '../repository.ts'
import { someOf } from '../scope.ts'

// Each of these files holds valid lines, and invalid ones under @ts-expect-error, which is an error itself if they compile.
const entries = ['vitest', 'jest', 'bun'] as const

const options = [
  ...['--target', 'es2023', '--module', 'nodenext', '--moduleResolution', 'nodenext', '--types', 'node'],
  ...['--strict', '--exactOptionalPropertyTypes', '--noEmit', '--ignoreConfig', '--allowImportingTsExtensions'],
]

test.each(someOf(entries, 1))('types the matchers of %s', async (entry) => {
  const compiler = `${root}/node_modules/typescript-7/bin/tsc`
  const file = fileURLToPath(new URL(`types/${entry}.ts`, import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, file, ...options], { cwd: root }).catch(
    (error: { stdout: string }) => error,
  )
  expect(stdout).toBe('')
})

import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'

const folder = fileURLToPath(new URL('runners', import.meta.url))
const resolve = createRequire(import.meta.url).resolve
const execute = promisify(execFile)

/** Returns Bun's executable for this machine; `undefined` if none is available. */
function findBun(): string | undefined {
  try {
    return join(dirname(resolve(`@oven/bun-${process.platform}-${process.arch}/package.json`)), 'bin/bun')
  } catch {
    return undefined
  }
}

const jestConfig = {
  rootDir: folder,
  testMatch: ['**/jest.mjs'],
  transform: {},
  testEnvironment: 'node',
  watchman: false,
  // The first test waits until all its imports are transformed, which takes a while on a busy machine.
  testTimeout: 30_000,
}
const commonJsConfig = {
  ...jestConfig,
  transform: { '\\.m?js$': fileURLToPath(new URL('to-common-js.cjs', import.meta.url)) },
  transformIgnorePatterns: ['/node_modules/(?!\\.pnpm/|@trestle/)'],
  // This repository's packages are linked, so they are outside node_modules.
  roots: [folder],
}
const runners: readonly (readonly [string, string | undefined, readonly string[], RegExp])[] = [
  [
    'Jest',
    process.execPath,
    ['--experimental-vm-modules', resolve('jest/bin/jest'), '--config', JSON.stringify(jestConfig)],
    /Tests:\s+(\d+) passed, \1 total/,
  ],
  [
    'Jest of CommonJS',
    process.execPath,
    [resolve('jest/bin/jest'), '--config', JSON.stringify(commonJsConfig)],
    /Tests:\s+(\d+) passed, \1 total/,
  ],
  [
    'node:test',
    process.execPath,
    ['--test', '--test-reporter=tap', join(folder, 'node.mjs')],
    /# pass (\d+)\n# fail 0/,
  ],
  ['bun test', findBun(), ['test', '--timeout', '30000', join(folder, 'bun.mjs')], /(\d+) pass\n\s*0 fail/],
]

async function run(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<[number, string]> {
  const settings = { cwd: folder, env: { ...process.env, NODE_OPTIONS: '', ...env } }
  const { code = 0, stdout, stderr } = await execute(file, args, settings).catch((error) => error)
  return [code, `${stdout}${stderr}`]
}

describe.each(runners)('%s', (name, file, args, summary) => {
  test.skipIf(!file)('passes the same tests', { timeout: 60_000 }, async () => {
    const [code, output] = await run(file ?? '', args)
    expect(output).toMatch(summary)
    // node:test has no matchers to extend.
    expect([code, summary.exec(output)?.[1]]).toEqual([0, name === 'node:test' ? '7' : '8'])
  })

  test.skipIf(!file)('reports a failure', { timeout: 60_000 }, async () => {
    const [code, output] = await run(file ?? '', args, { BODY_FAILS: '1' })
    expect(code).not.toBe(0)
    expect(output).toContain('push was expected to be sent, but no push was sent')
  })
})

test('each entry is at most four lines', () => {
  const entries = readdirSync(folder).filter((name) => /\.(mjs|ts)$/.test(name) && !name.startsWith('body'))
  expect(entries.sort()).toEqual(['bun.mjs', 'jest.mjs', 'node.mjs', 'vitest.test.ts'])
  for (const entry of entries) {
    const lines = readFileSync(join(folder, entry), 'utf8').split('\n')
    expect(lines.filter((line) => line !== '').length).toBeLessThanOrEqual(4)
  }
})

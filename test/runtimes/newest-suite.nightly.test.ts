import { execFile } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { root } from '../repository.ts'
import { copySuiteApp, installFrameworks, runOnNode22 } from './install-frameworks.ts'
import { hasRuntimes, installRuntimes, programOf } from './install-runtimes.ts'

// The whole conformance suite on the newest versions, under Node 22.

const kitConfig = `import adapter from '@sveltejs/adapter-node'
import { sveltekit } from '@sveltejs/kit/vite'

export default {
  plugins: [sveltekit({ adapter: adapter(), csrf: { trustedOrigins: ['*'] } })],
  ssr: { external: ['@trestle/sveltekit', '@trestle/core'] },
}
`
const bin = '../node_modules'

describe.runIf(hasRuntimes)('the newest versions pass the conformance suite', () => {
  beforeAll(() => installRuntimes(), 300_000)

  test.each<[string, Readonly<Record<string, string | null>>, readonly string[]]>([
    ['sveltekit', { 'vite.config.js': kitConfig, 'svelte.config.js': null }, ['vite/bin/vite.js']],
    [
      'react-router',
      { 'adapter.mjs': "export { createRequestHandler } from '@react-router/express'\n" },
      ['@react-router/dev/bin.cjs'],
    ],
  ])('%s', { timeout: 600_000 }, async (name, files, [tool]) => {
    const folder = copySuiteApp(await installFrameworks('vite', []), `${name}-app`, files)
    await runOnNode22(folder, `${bin}/${tool}`, 'build')
    const variable = `TEST_NEWEST_${name.toUpperCase().replace('-', '_')}`
    const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts']
    const { stdout } = await promisify(execFile)(
      programOf('Node 22'),
      [...args, '--reporter=json', `test/conformance/${name}.test.ts`],
      { cwd: root, env: { ...process.env, [variable]: `${pathToFileURL(folder)}/` }, maxBuffer: 64 * 1024 * 1024 },
    ).catch((error: { stdout: string }) => error)
    const result = JSON.parse(stdout.slice(stdout.indexOf('{'))) as {
      numPassedTests: number
      testResults: { assertionResults: { fullName: string; status: string }[] }[]
    }
    const all = result.testResults.flatMap(({ assertionResults }) => assertionResults)
    expect(all.flatMap(({ fullName, status }) => (status === 'failed' ? [fullName] : []))).toEqual([])
    expect(result.numPassedTests).toBeGreaterThan(500)
  })
})

import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packages, root } from '../repository.ts'
import { pack, type Tarball } from './pack.ts'

// Entries that require a peer dependency.
const needsPeer = [
  '@trestle/testing/vitest',
  '@trestle/testing/jest',
  '@trestle/testing/bun',
  '@trestle/h3',
  '@trestle/nest',
  '@trestle/inbox/react',
]

const run = promisify(execFile)
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'trestle-pack-')))
let tarballs: ReadonlyMap<string, Tarball> = new Map()

beforeAll(async () => {
  tarballs = await pack(packages, folder)
}, 120_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }), 60_000)

/** With different names, so that they can be installed together. */
const compilers = {
  'typescript-5.9': 'npm:typescript@5.9.3',
  'typescript-6': 'npm:typescript@6.0.3',
  'typescript-7': 'npm:typescript@7.0.2',
}

/** The entry points of all packages, by import name. */
const entries = packages.flatMap(({ file: { name, exports } }) =>
  Object.keys(exports)
    .filter((entry) => entry !== './package.json' && !entry.endsWith('.css'))
    .map((entry) => `${name}${entry.slice(1)}`),
)

describe('all tarballs together', () => {
  const app = join(folder, 'app')
  beforeAll(async () => {
    await run('mkdir', [app])
    const dependencies = Object.fromEntries([...tarballs].map(([name, { path }]) => [name, `file:${path}`]))
    const others = { hono: '4.13.19', zod: '4.6.7', '@types/node': '20.19.25', ...compilers }
    const overrides = dependencies
    writeFileSync(
      join(app, 'package.json'),
      JSON.stringify({ type: 'module', private: true, dependencies: { ...dependencies, ...others }, overrides }),
    )
    // Without the frameworks, because the core must not need any of them.
    await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--legacy-peer-deps'], { cwd: app })
  }, 120_000)

  test('can be imported in an empty folder', async () => {
    const names = entries.filter((name) => !needsPeer.includes(name))
    const script = `${names.map((name) => `await import(${JSON.stringify(name)})`).join('\n')}\nconsole.log('all there')`
    writeFileSync(join(app, 'import.mjs'), script)
    const { stdout, stderr } = await run(process.execPath, ['import.mjs'], { cwd: app })
    expect([stdout.trim(), stderr]).toEqual(['all there', ''])
  })

  test('can be required, as Node allows for modules without top-level await', async () => {
    const names = entries.filter((name) => !needsPeer.includes(name))
    const script = `
const assert = require('node:assert')
const check = async () => {
  for (const name of ${JSON.stringify(names)})
    assert.strictEqual(require(name), await import(name), name)
}
const { createBridge, workflow } = require('@trestle/core')
check().then(() => console.log(typeof createBridge, typeof workflow, ${names.length}))`
    writeFileSync(join(app, 'require.cjs'), script)
    const { stdout, stderr } = await run(process.execPath, ['require.cjs'], { cwd: app })
    expect([stdout.trim(), stderr]).toEqual([`function function ${names.length}`, ''])
  })

  test.each(['esm', 'cjs'] as const)(
    'can be bundled by esbuild without the optional packages, as %s',
    async (format) => {
      const outfile = join(app, `bundle.${format === 'esm' ? 'mjs' : 'cjs'}`)
      const contents = `import { workflow } from '@trestle/core'
import { serve } from '@trestle/hono'
import { Hono } from 'hono'
const app = new Hono().all('/', serve({ workflows: [workflow('w', async () => undefined)] }))
Promise.resolve(app.request('/')).then(async (reply) => console.log(reply.status, (await reply.json()).status))`
      const stdin = { contents, resolveDir: app }
      const built = await build({
        stdin,
        outfile,
        bundle: true,
        minify: true,
        platform: 'node',
        format,
        logLevel: 'silent',
      })
      expect(built.errors).toEqual([])
      const { stdout } = await run(process.execPath, [outfile], { cwd: app })
      expect(stdout.trim()).toBe('200 ok')
    },
  )

  describe('without skipLibCheck', () => {
    const program = (extra: string): string => `import { createBridge, workflow } from '@trestle/core'
import { serve } from '@trestle/hono'
import { Hono } from 'hono'
import { z } from 'zod'

const order = workflow('order', async ({ step, payload }) => {
  await step.email('mail', ({ subject }) => ({ subject, body: payload.id }), {
    controlSchema: z.object({ subject: z.string() }),
  })
  ${extra}
}, { payloadSchema: z.object({ id: z.string() }) })

export const app: Hono = new Hono()
app.all('/api/bridge', serve({ workflows: [order] }))
export const answer: Promise<Response> = createBridge({ workflows: [order] }).fetch(new Request('http://a'))
`
    // The types of Bun conflict with those of Node.
    const typed = entries.filter((name) => name !== '@trestle/testing/bun')

    beforeAll(() => {
      // The frameworks as installed for the other tests.
      const peers = packages.flatMap(({ file }) => Object.keys(file.peerDependencies ?? {}))
      for (const name of new Set([...peers, '@types/react'])) {
        const place = join(app, 'node_modules', name)
        if (existsSync(place)) continue
        mkdirSync(dirname(place), { recursive: true })
        symlinkSync(join(root, 'node_modules', name), place)
      }
      const list = typed.map((name, index) => `export * as entry${index} from ${JSON.stringify(name)}\n`)
      writeFileSync(join(app, 'all.ts'), list.join(''))
      writeFileSync(join(app, 'core.ts'), list.filter((line) => /@trestle\/(core|hono)/.test(line)).join(''))
      writeFileSync(join(app, 'app.ts'), program(''))
      writeFileSync(join(app, 'required.cts'), program(''))
      writeFileSync(join(app, 'wrong.ts'), program('await step.sms(1, () => ({ body: payload.name }))'))
    })

    test.each(['typescript-5.9', 'typescript-6'])(
      '%s type-checks every entry under nodenext, and those of the core also under node16 and bundler',
      async (compiler) => {
        const script = join(root, 'test/packages/check-types.mjs')
        const modes = ['Node16:core.ts,app.ts', 'NodeNext:all.ts,app.ts,required.cts', 'ESNext:core.ts,app.ts,wrong.ts']
        const { stdout } = await run(process.execPath, [script, app, compiler, ...modes])
        const needed = ['api-client', 'core', 'hono', 'html', 'protocol'].map((name) => `@trestle/${name}`)
        const good = { packages: needed, wrong: [] }
        const faults = [
          expect.stringMatching(/wrong\.ts: Argument of type 'number'/),
          expect.stringMatching(/wrong\.ts: Property 'name' does not exist/),
        ]
        expect(JSON.parse(stdout)).toEqual({
          ...{ Node16: good, NodeNext: { packages: [...tarballs.keys()].sort(), wrong: [] } },
          ESNext: { ...good, wrong: faults },
        })
      },
      120_000,
    )

    test.each([
      ['node16', ['app.ts', 'core.ts'], 0],
      ['nodenext', ['app.ts', 'all.ts', 'required.cts'], 0],
      ['bundler', ['app.ts', 'core.ts', 'wrong.ts'], 2],
    ])(
      'typescript-7 type-checks them under %s',
      async (resolution, files, faults) => {
        const compilerOptions = {
          ...{ target: 'es2023', lib: ['es2023'], types: ['node'], strict: true, noEmit: true, skipLibCheck: false },
          ...{ module: resolution === 'bundler' ? 'esnext' : resolution, moduleResolution: resolution },
          exactOptionalPropertyTypes: true,
        }
        writeFileSync(join(app, `${resolution}.json`), JSON.stringify({ compilerOptions, files }))
        const compiler = join(app, 'node_modules/typescript-7/bin/tsc')
        const args = [compiler, '-p', `${resolution}.json`, '--pretty', 'false', '--listFiles']
        const { stdout } = await run(process.execPath, args, { cwd: app }).catch((error: { stdout: string }) => error)
        const lines = stdout.trim().split('\n')
        expect(lines.filter((line) => line.includes('/@trestle/core/dist/index.d.ts'))).toHaveLength(1)
        const errors = lines.filter((line) => line.includes('error TS'))
        // Errors in the frameworks' own types are not ours.
        expect(errors.filter((line) => !/^(\.\.\/)+.*\/node_modules\//.test(line))).toHaveLength(faults)
      },
      120_000,
    )
  })
})

import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packages, root } from './source.ts'

// Entries for those who have the peer they are about.
const needsPeer = [
  '@trestle/testing/vitest',
  '@trestle/testing/jest',
  '@trestle/testing/bun',
  '@trestle/h3',
  '@trestle/nest',
]

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'trestle-pack-'))
const tarballs = new Map<string, { path: string; files: readonly string[] }>()

beforeAll(async () => {
  const places = packages.map(({ path }) => path)
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder, ...places], {
    cwd: root,
  })
  for (const packed of toList(JSON.parse(stdout)))
    tarballs.set(packed.name, { path: join(folder, packed.filename), files: packed.files.map(({ path }) => path) })
}, 60_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }), 60_000)

interface Packed {
  readonly name: string
  readonly filename: string
  readonly files: readonly { readonly path: string }[]
}

// npm 10 prints a list, npm 11 an object by name.
function toList(printed: readonly Packed[] | Readonly<Record<string, Packed>>): readonly Packed[] {
  return Array.isArray(printed) ? printed : Object.values(printed)
}

describe.each(packages)('the tarball of $folder', ({ file }) => {
  test('holds what was built, a README, a changelog, and nothing else', () => {
    const files = tarballs.get(file.name)?.files ?? []
    expect(files).toEqual(expect.arrayContaining(['README.md', 'CHANGELOG.md']))
    const data = file.files
      .filter((name) => !['dist', 'README.md', 'CHANGELOG.md'].includes(name))
      .map((name) => `${name}/`)
    const built =
      /^(package\.json|README\.md|CHANGELOG\.md|LICENSE|dist\/.+\.(js|js\.map|d\.ts)|dist\/errors\.json|dist\/app\/.+\.(html|css|svg|woff2|json))$/
    expect(files.filter((path) => !built.test(path) && !data.some((name) => path.startsWith(name)))).toEqual([])
    expect(files.filter((path) => /\.(test|fixture)\./.test(path))).toEqual([])
  })

  test('has no complaint of publint', async () => {
    const bytes = readFileSync(tarballs.get(file.name)?.path ?? '')
    const tarball = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
    const { messages, pkg } = await publint({ pack: { tarball }, strict: true, level: 'warning' })
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([])
  })
})

describe('the tarballs together', () => {
  const app = join(folder, 'app')
  beforeAll(async () => {
    await run('mkdir', [app])
    const dependencies = Object.fromEntries([...tarballs].map(([name, { path }]) => [name, `file:${path}`]))
    const others = { hono: '4.13.19', zod: '4.6.7', typescript: '6.0.3', '@types/node': '20.19.25' }
    const overrides = dependencies
    writeFileSync(
      join(app, 'package.json'),
      JSON.stringify({ type: 'module', private: true, dependencies: { ...dependencies, ...others }, overrides }),
    )
    // Without the frameworks: whoever uses one has it, and the core must do without all of them.
    await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--legacy-peer-deps'], { cwd: app })
  }, 120_000)

  test('can be imported in an empty folder', async () => {
    const names = packages.flatMap(({ file: { name, exports } }) =>
      Object.keys(exports)
        .filter((entry) => entry !== './package.json' && !needsPeer.includes(`${name}${entry.slice(1)}`))
        .map((entry) => `${name}${entry.slice(1)}`),
    )
    const script = `${names.map((name) => `await import(${JSON.stringify(name)})`).join('\n')}\nconsole.log('all there')`
    writeFileSync(join(app, 'import.mjs'), script)
    const { stdout, stderr } = await run(process.execPath, ['import.mjs'], { cwd: app })
    expect([stdout.trim(), stderr]).toEqual(['all there', ''])
  })

  test('can be required, as Node allows for modules without top-level await', async () => {
    const script =
      "const { createBridge, workflow } = require('@trestle/core'); console.log(typeof createBridge, typeof workflow)"
    writeFileSync(join(app, 'require.cjs'), script)
    const { stdout } = await run(process.execPath, ['require.cjs'], { cwd: app })
    expect(stdout.trim()).toBe('function function')
  })

  test('have types that hold without skipLibCheck', async () => {
    writeFileSync(
      join(app, 'app.ts'),
      `import { createBridge, workflow } from '@trestle/core'
import { serve } from '@trestle/hono'
import { Hono } from 'hono'
import { z } from 'zod'

const order = workflow('order', async ({ step, payload }) => {
  await step.email('mail', ({ subject }) => ({ subject, body: payload.id }), {
    controlSchema: z.object({ subject: z.string() }),
  })
}, { payloadSchema: z.object({ id: z.string() }) })

export const app: Hono = new Hono()
app.all('/api/bridge', serve({ workflows: [order] }))
export const answer: Promise<Response> = createBridge({ workflows: [order] }).fetch(new Request('http://a'))
`,
    )
    const compilerOptions = {
      target: 'es2023',
      module: 'nodenext',
      strict: true,
      noEmit: true,
      types: ['node'],
      exactOptionalPropertyTypes: true,
    }
    writeFileSync(join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['app.ts'] }))
    const { stdout } = await run(join(app, 'node_modules/.bin/tsc'), ['-p', '.'], { cwd: app }).catch(
      (error: { stdout: string }) => error,
    )
    expect(stdout.trim()).toBe('')
  }, 60_000)
})

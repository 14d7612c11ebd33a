import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runVectors, vectors } from '@trestle/testing/vectors'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasRuntimes, installRuntimes, programOf, type Runtime } from './install-runtimes.ts'
import { type Start, startServer } from './start-server.ts'

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'trestle-edge-'))
const nodeFile = here('node-http.tmp.mjs')

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
  rmSync(nodeFile, { force: true })
})

/** Returns the guide's line for a runtime. */
function lineFor(where: string): string {
  const guide = readFileSync(here('../../packages/core/README.md'), 'utf8')
  const [, table = ''] = guide.split('### Without an adapter')
  const row = table.split('\n').find((line) => line.startsWith(`| ${where} `))
  const line = row && /\| `([^`]+)` +\|$/.exec(row)?.[1]
  if (!line) throw new Error(`The guide has no line for ${where}.`)
  return line
}

/** The workflows of the vectors, served with the line from the guide. */
const toSource = (where: string): string => `import { createBridge, toNodeHandler } from '@trestle/core'
import { vectorWorkflows as workflows } from '${here('../../packages/testing/src/conformance/vector-workflows.ts')}'
const bridge = createBridge({ workflows, secretKey: ${JSON.stringify(vectors.secretKey)}, strictAuthentication: true })
${lineFor(where)}
`

/** Bundles a server for an edge runtime into one file; returns the remaining imports. */
async function bundle(where: string): Promise<readonly string[]> {
  const { metafile } = await build({
    stdin: { contents: toSource(where), resolveDir: here('.'), loader: 'ts' },
    outfile: fileOf(where),
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    external: [...builtinModules, 'node:*'],
    metafile: true,
    logLevel: 'error',
  })
  return Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path))
}

const fileOf = (where: string): string => join(folder, `${where.replaceAll(' ', '-')}.mjs`)

async function expectVectors(program: string, start: Omit<Start, 'env'>): Promise<void> {
  const url = await startServer(program, { ...start, env: { SERVICE_SECRET_KEY: vectors.secretKey } })
  const results = await runVectors(url)
  expect(results.filter(({ fault }) => fault)).toEqual([])
  expect(results).toHaveLength(vectors.calls.length)
}

/** On node:http the line prints its port, and the packages are loaded unchanged. */
async function expectVectorsOnNode(program: string): Promise<void> {
  const args = (port: number): readonly string[] => {
    const source = `import { createServer } from 'node:http'
import { createBridge, toNodeHandler } from '@trestle/core'
import { vectorWorkflows as workflows } from '@trestle/testing/vectors'
${lineFor('`node:http`').replace('4000', `${port}, '127.0.0.1'`)}
`
    writeFileSync(nodeFile, source)
    return [nodeFile]
  }
  await expectVectors(program, { args, path: '/' })
}

test('this Node version passes every vector', () => expectVectorsOnNode(process.execPath))

const edge = ['Bun', 'Deno', 'Cloudflare Workers']
test.each(edge)('a bundle for %s is one file without any Node module', async (where) => {
  const imports = await bundle(where)
  expect(imports).toEqual([])
})

describe.runIf(hasRuntimes)('other runtimes answer every vector', { timeout: 60_000 }, () => {
  beforeAll(async () => {
    await installRuntimes()
    await Promise.all(edge.map(bundle))
    writeFileSync(join(folder, 'workerd.capnp'), workerdConfig)
  }, 300_000)

  test.each<Runtime>(['Node 22', 'Node 24', 'Node 26'])('%s', (runtime) => expectVectorsOnNode(programOf(runtime)))

  test('Bun', () => expectVectors(programOf('Bun'), { args: ['run', fileOf('Bun')], path: '/api/bridge' }))

  test('Deno', async () => {
    const toArguments = (): readonly string[] => ['run', '--no-remote', '--allow-net', '--allow-env', fileOf('Deno')]
    await expectVectors(programOf('Deno'), { args: toArguments, path: '/' })
  })

  test('workerd', async () => {
    const config = join(folder, 'workerd.capnp')
    const args = (port: number): readonly string[] => ['serve', config, `--socket-addr=http=127.0.0.1:${port}`]
    await expectVectors(programOf('workerd'), { args, path: '/' })
  })
})

const workerdConfig = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (modules = [(name = "edge.mjs", esModule = embed "Cloudflare-Workers.mjs")], compatibilityDate = "2026-11-01"))],
  sockets = [(name = "http", service = "main")],
);
`

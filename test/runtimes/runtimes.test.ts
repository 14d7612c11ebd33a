import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { runVectors, vectors } from '@trestle/testing/vectors'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { findFreePort } from '../free-port.ts'
import { hasRuntimes, installRuntimes, programOf, type Runtime } from './install-runtimes.ts'

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'trestle-edge-'))
const edgeFile = join(folder, 'edge.mjs')

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.runIf(hasRuntimes)('other runtimes answer every vector', () => {
  beforeAll(async () => {
    installRuntimes()
    await build({
      entryPoints: [here('vectors-on-fetch.mjs')],
      outfile: edgeFile,
      bundle: true,
      format: 'esm',
      platform: 'neutral',
      mainFields: ['module', 'main'],
      external: ['zod-to-json-schema', '@valibot/to-json-schema'],
      define: { SECRET_KEY: JSON.stringify(vectors.secretKey) },
      logLevel: 'error',
    })
    writeFileSync(join(folder, 'workerd.capnp'), workerdConfig)
  }, 300_000)

  test('with one file that imports nothing', () => {
    const imports = [...readFileSync(edgeFile, 'utf8').matchAll(/^import .*from\s*"([^"]+)"|\bimport\("([^"]+)"\)/gm)]
    const names = imports.map(([, name, lazy]) => name ?? lazy)
    expect(names.filter((name) => !['zod-to-json-schema', '@valibot/to-json-schema'].includes(name ?? ''))).toEqual([])
  })

  test.each<[Runtime, (port: number) => readonly string[]]>([
    ['Node 22', () => [here('vectors-on-node.mjs')]],
    ['Node 24', () => [here('vectors-on-node.mjs')]],
    ['Node 26', () => [here('vectors-on-node.mjs')]],
    ['Bun', () => ['run', edgeFile]],
    ['Deno', (port) => ['serve', '--no-remote', `--port=${port}`, '--host=127.0.0.1', '--allow-env', edgeFile]],
    ['workerd', (port) => ['serve', join(folder, 'workerd.capnp'), `--socket-addr=http=127.0.0.1:${port}`]],
  ])('%s', { timeout: 60_000 }, async (runtime, toArguments) => {
    const url = await start(runtime, toArguments)
    const results = await runVectors(url)
    expect(results.filter(({ fault }) => fault)).toEqual([])
    expect(results).toHaveLength(vectors.calls.length)
  })
})

const workerdConfig = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (modules = [(name = "edge.mjs", esModule = embed "edge.mjs")], compatibilityDate = "2026-11-01"))],
  sockets = [(name = "http", service = "main")],
);
`

/** Starts a server under a runtime and waits until it answers. */
async function start(runtime: Runtime, toArguments: (port: number) => readonly string[]): Promise<string> {
  const port = await findFreePort()
  const env = { ...process.env, NODE_ENV: 'production' as const, PORT: String(port), BUN_PORT: String(port) }
  const child = spawn(programOf(runtime), toArguments(port), { env, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(String(chunk)))
  const url = `http://127.0.0.1:${port}/`
  for (let tries = 0; tries < 200; tries++) {
    if (child.exitCode !== null) break
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.status === 200) return url
    await sleep(100)
  }
  throw new Error(`${runtime} did not answer: ${said.join('')}`)
}

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createBridge, type NonceStore, workflow } from '@trestle/core'
import { sign } from '@trestle/protocol'
import { Client } from 'pg'
import ts from 'typescript'
import { describe, expect, type TestContext, test, vi } from 'vitest'
import { createDatabase } from '../../packages/service/src/store/stores.fixture.ts'
import { startRedis } from './redis-server.ts'

// The stores from the guide, extracted from its text and run against real servers.

const here = fileURLToPath(new URL('.', import.meta.url))
const guide = readFileSync(new URL('../../packages/core/README.md', import.meta.url), 'utf8')
const ttlMs = 600_000

/** Returns the code in the guide with the given name. */
function snippet(name: string): string {
  const [, code] = new RegExp(`^\`\`\`ts ${name}\n(.*?)^\`\`\`$`, 'ms').exec(guide) ?? []
  if (code === undefined) throw new Error(`The guide has no code "${name}".`)
  return code
}

interface Kind {
  readonly code: string
  /** Starts an empty server and points the environment to it; returns a function that stops the server. */
  readonly start: (context: TestContext, code: string) => Promise<(() => Promise<void>) | undefined>
  /** Closes the connections that the code has opened. */
  readonly close: string
}

const kinds: Readonly<Record<string, Kind>> = {
  Redis: {
    code: snippet('redis-nonces'),
    close: 'redis.destroy()',
    async start(context) {
      const { url, kill } = await startRedis(context)
      vi.stubEnv('REDIS_URL', url)
      return kill
    },
  },
  PostgreSQL: {
    code: snippet('postgres-nonces'),
    close: 'pool.end()',
    async start(context, code) {
      const { databaseUrl = '' } = (await createDatabase('postgres', context)).address
      vi.stubEnv('DATABASE_URL', databaseUrl)
      const client = new Client({ connectionString: databaseUrl })
      await client.connect()
      await client.query(/^\/\/ (create table .+)$/m.exec(code)?.[1] ?? 'the guide has no table')
      await client.end()
      return undefined
    },
  },
}

/** Loads a store of the guide as another process of an app would, with separate connections. */
async function load({ code, close }: Kind, context: TestContext): Promise<NonceStore> {
  const folder = mkdtempSync(join(here, '.snippet-'))
  const { outputText } = ts.transpileModule(`${code}\nexport const close = async () => ${close}\n`, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 },
  })
  const file = join(folder, 'store.mjs')
  writeFileSync(file, outputText)
  const loaded = (await import(pathToFileURL(file).href)) as { nonceStore: NonceStore; close(): Promise<void> }
  context.onTestFinished(async () => {
    await loaded.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return loaded.nonceStore
}

async function sleep(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms))
}

const counted = vi.fn(() => ({}))
const counting = workflow('counting', async ({ step }) => {
  await step.custom('once', counted)
})

function createProcess(nonceStore: NonceStore) {
  const logger = { warn: () => undefined, error: () => undefined }
  const bridge = createBridge({
    ...{ workflows: [counting], secretKey: 'sk', strictAuthentication: true },
    ...{ nonceStore, logger },
  })
  return async (signature: string): Promise<[number, string | undefined]> => {
    const response = await bridge.fetch(
      new Request('http://bridge.test/?action=execute&workflowId=counting&stepId=once', {
        method: 'POST',
        body: '{}',
        headers: { 'service-signature': signature },
      }),
    )
    return [response.status, ((await response.json()) as { code?: string }).code]
  }
}

test.each(Object.entries(kinds))('the code for %s has at most ten lines and type-checks', (_name, { code }) => {
  expect(code.split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(10)
  const file = join(here, 'snippet.ts')
  const options: ts.CompilerOptions = {
    ...{ module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023, lib: ['lib.es2023.d.ts'], types: ['node'] },
    ...{ strict: true, noEmit: true, skipLibCheck: true },
  }
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists } = host
  host.fileExists = (path) => path === file || fileExists.call(host, path)
  host.getSourceFile = (path, target, ...rest) =>
    path === file ? ts.createSourceFile(path, code, target) : getSourceFile.call(host, path, target, ...rest)
  const diagnostics = ts.getPreEmitDiagnostics(ts.createProgram([file], options, host))
  expect(diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))).toEqual([])
})

describe.each(Object.entries(kinds))('the store on %s', (_name, kind) => {
  test('accepts a signature once, for any number of concurrent requests and processes', async (context) => {
    await kind.start(context, kind.code)
    const stores = [await load(kind, context), await load(kind, context)]
    for (const nonce of ['a', 'b']) {
      const claims = Array.from({ length: 60 }, (_, index) => stores[index % 2]?.claim(nonce, ttlMs))
      expect((await Promise.all(claims)).filter(Boolean)).toEqual([true])
    }
    expect(await stores[0]?.claim('a', ttlMs)).toBe(false)
  })

  test('forgets a signature after the given time, and then accepts it again', async (context) => {
    await kind.start(context, kind.code)
    const store = await load(kind, context)
    expect([await store.claim('short', 200), await store.claim('long', ttlMs)]).toEqual([true, true])
    // Only the long one is requested again immediately: a slow machine may need more than 200 ms for these lines.
    expect(await store.claim('long', ttlMs)).toBe(false)
    await sleep(250)
    const claims = await Promise.all(Array.from({ length: 20 }, () => store.claim('short', ttlMs)))
    expect(claims.filter(Boolean)).toEqual([true])
    expect([await store.claim('short', ttlMs), await store.claim('long', ttlMs)]).toEqual([false, false])
  })

  test('prevents a call from running twice, even in another process, and allows retries', async (context) => {
    await kind.start(context, kind.code)
    const one = createProcess(await load(kind, context))
    const other = createProcess(await load(kind, context))
    counted.mockClear()
    const nowMs = Date.now()
    const recorded = await sign('sk', '{}', { nowMs })
    expect(await one(recorded)).toEqual([200, undefined])
    expect(await one(recorded)).toEqual([401, 'SignatureExpiredError'])
    expect(await other(recorded)).toEqual([401, 'SignatureExpiredError'])
    expect(counted).toHaveBeenCalledTimes(1)
    // The service's behavior after a failure: the same body with a new signature.
    expect(await other(await sign('sk', '{}', { nowMs: nowMs + 1 }))).toEqual([200, undefined])
    expect(counted).toHaveBeenCalledTimes(2)
  })
})

test('calls are rejected quickly while Redis is down', async (context) => {
  const { start, code } = kinds['Redis'] as Kind
  const kill = await start(context, code)
  const quiet = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  context.onTestFinished(() => quiet.mockRestore())
  const call = createProcess(await load(kinds['Redis'] as Kind, context))
  expect(await call(await sign('sk', '{}'))).toEqual([200, undefined])
  await kill?.()
  counted.mockClear()
  const startMs = performance.now()
  expect(await call(await sign('sk', '{}', { nowMs: Date.now() + 5 }))).toEqual([503, 'NonceStoreUnavailableError'])
  // After a second; the client's own retries take much longer.
  expect(performance.now() - startMs).toBeLessThan(5000)
  expect(counted).not.toHaveBeenCalled()
})

import { join } from 'node:path'
import { runVectors, vectors } from '@trestle/testing/vectors'
import ts from 'typescript'
import { beforeAll, describe, expect, test } from 'vitest'
import { copyApp, type FrameworkSet, installFrameworks, runOnNode22 } from './install-frameworks.ts'
import { hasRuntimes, installRuntimes, programOf } from './install-runtimes.ts'
import { startServer } from './start-server.ts'

const bin = (name: string): string => join('..', 'node_modules', name)

/** Apps of frameworks whose newest version requires a newer Node: their names, builds and servers. */
const apps: readonly (readonly [string, FrameworkSet, string, string, readonly string[], string])[] = [
  ['sveltekit', 'vite', 'sveltekit', 'src/vector-workflows.ts', [bin('vite/bin/vite.js'), 'build'], 'build/index.js'],
  [
    ...(['react-router', 'vite', 'react-router', 'app/vector-workflows.ts'] as const),
    ...([[bin('@react-router/dev/bin.cjs'), 'build'], 'server.mjs'] as const),
  ],
  [
    ...(['nuxt', 'nuxt', 'h3', 'server/vector-workflows.ts'] as const),
    ...([[bin('nuxt/bin/nuxt.mjs'), 'build'], '.output/server/index.mjs'] as const),
  ],
]

/** Responses that a framework sends before the bridge receives a call. */
const inFront: Readonly<Record<string, readonly string[]>> = {
  // SvelteKit treats a PUT without a content type as a cross-site form submission.
  sveltekit: ['the status is 403, not 405: Cross-site PUT form submissions are forbidden'],
}

describe.runIf(hasRuntimes)('the newest versions, built by their own tools, answer every vector', () => {
  beforeAll(() => installRuntimes(), 300_000)

  test.each(apps)('%s', { timeout: 300_000 }, async (name, set, adapter, workflows, build, server) => {
    const folder = copyApp(await installFrameworks(set, [adapter]), name, workflows)
    await runOnNode22(folder, ...build)
    const url = await startServer(programOf('Node 22'), {
      args: [join(folder, server)],
      path: '/api/bridge',
      env: { SERVICE_SECRET_KEY: vectors.secretKey, BODY_SIZE_LIMIT: '20M', HOST: '127.0.0.1' },
    })
    const results = await runVectors(url)
    expect(results.flatMap(({ fault }) => fault ?? [])).toEqual(inFront[name] ?? [])
    expect(results).toHaveLength(vectors.calls.length)
  })

  test('accept our handlers according to their types', async () => {
    const file = join(await installFrameworks('vite', ['react-router', 'sveltekit']), 'types.ts')
    const text = `import { serve as serveKit } from '@trestle/sveltekit'
import { serve } from '@trestle/react-router'
import type { RequestHandler } from '@sveltejs/kit'
import type { LoaderFunction } from 'react-router'
export const GET: RequestHandler = serveKit({}).GET
export const loader: LoaderFunction = serve({}).loader
export const wrong: LoaderFunction = serve({})
`
    const options: ts.CompilerOptions = {
      ...{ strict: true, noEmit: true, skipLibCheck: true, types: [], lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'] },
      ...{ target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext },
      moduleResolution: ts.ModuleResolutionKind.Bundler,
    }
    ts.sys.writeFile(file, text)
    const faults = ts.getPreEmitDiagnostics(ts.createProgram([file], options))
    expect(faults.map(({ start }) => text.slice(start).split(':')[0])).toEqual(['wrong'])
  })
})

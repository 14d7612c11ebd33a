import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runVectors, vectors } from '@trestle/testing/vectors'
import ts from 'typescript'
import { beforeAll, describe, expect, test } from 'vitest'
import { type FrameworkSet, installFrameworks, vectorWorkflows } from './install-frameworks.ts'
import { hasRuntimes, installRuntimes } from './install-runtimes.ts'
import { startServer } from './start-server.ts'

const ours = ['fastify', 'nest']

async function install(set: FrameworkSet): Promise<string> {
  const folder = await installFrameworks(set, ours)
  cpSync(fileURLToPath(new URL('older', import.meta.url)), folder, { recursive: true })
  const { outputText } = ts.transpileModule(readFileSync(vectorWorkflows, 'utf8'), {
    compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext },
  })
  writeFileSync(join(folder, 'vector-workflows.mjs'), outputText)
  return folder
}

function versionOf(folder: string, name: string): string {
  const manifest = readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}

/** Responses that Nest's parser sends before the bridge receives a call. */
const inFront: Readonly<Record<string, readonly string[]>> = {
  'raw body': ['checks the signature before action and body', 'a body that is not JSON', 'a body that is a string'],
}

const apps: readonly (readonly [string, string, FrameworkSet, readonly string[]])[] = [
  ['@nestjs/core', '10.', 'nest-10', ['nest.mjs', 'bare']],
  ['@nestjs/core', '10.', 'nest-10', ['nest.mjs', 'raw body']],
  ['@nestjs/core', '10.', 'nest-10', ['nest.mjs', 'Fastify']],
  ['@nestjs/core', '11.', 'nest-11', ['nest.mjs', 'bare']],
  ['@nestjs/core', '11.', 'nest-11', ['nest.mjs', 'raw body']],
  ['@nestjs/core', '11.', 'nest-11', ['nest.mjs', 'Fastify']],
  ['fastify', '4.', 'nest-10', ['fastify.mjs']],
]

describe.runIf(hasRuntimes)('older versions also answer every vector', () => {
  beforeAll(() => installRuntimes(), 300_000)

  test.each(apps)('%s %s%s %j', { timeout: 300_000 }, async (name, major, set, [file = '', kind = '']) => {
    const folder = await install(set)
    expect(versionOf(folder, name)).toMatch(new RegExp(`^${major}`))
    const url = await startServer(process.execPath, {
      args: [join(folder, file), kind],
      path: '/api/bridge',
      env: { SERVICE_SECRET_KEY: vectors.secretKey },
    })
    const results = await runVectors(url)
    expect(results.flatMap(({ name: call, fault }) => (fault ? [call] : []))).toEqual(inFront[kind] ?? [])
    expect(results).toHaveLength(vectors.calls.length)
  })

  test.each(['nest-10', 'nest-11'] as const)(
    '%s accepts our modules according to its types',
    { timeout: 120_000 },
    async (set) => {
      const file = join(await install(set), 'types.ts')
      const text = `import { Module } from '@nestjs/common'
import { serve } from '@trestle/fastify'
import { BridgeModule } from '@trestle/nest'
import Fastify from 'fastify'

export const imports = [BridgeModule.register({ workflows: [] }), BridgeModule.registerAsync({ useFactory: () => ({ workflows: [] }) })]
Module({ imports })(class AppModule {})
void Fastify().register(serve({ workflows: [] }), { prefix: '/api/bridge' })
export const wrong: number = BridgeModule.register({ workflows: [] })
`
      const options: ts.CompilerOptions = {
        ...{ strict: true, noEmit: true, skipLibCheck: true, types: [], lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'] },
        ...{ target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext },
        moduleResolution: ts.ModuleResolutionKind.Bundler,
      }
      ts.sys.writeFile(file, text)
      const faults = ts.getPreEmitDiagnostics(ts.createProgram([file], options))
      expect(faults.map(({ start }) => text.slice(start).split(':')[0])).toEqual(['wrong'])
    },
  )
})

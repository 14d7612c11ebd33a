import { execFile } from 'node:child_process'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { describe, expect, test } from 'vitest'
import { root } from '../repository.ts'

const run = promisify(execFile)

/** Bundles an entry point as an edge runtime's tools do, and returns the remaining imports. */
async function bundle(
  entry: string,
  conditionNames: readonly string[],
): Promise<{ code: string; imports: readonly string[] }> {
  const build = await rolldown({
    input: join(root, entry),
    platform: 'browser',
    resolve: { conditionNames: [...conditionNames] },
    onwarn: () => undefined,
    logLevel: 'silent',
  })
  const { output } = await build.generate({ format: 'esm' })
  await build.close()
  const chunks = output.filter((file) => file.type === 'chunk')
  const own = new Set(chunks.map(({ fileName }) => fileName))
  return {
    code: chunks.map(({ code }) => code).join('\n'),
    imports: chunks
      .flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
      .filter((name) => !own.has(name)),
  }
}

describe('edge runtimes', () => {
  test.each([
    ['packages/core/dist/index.js', ['import', 'browser', 'default']],
    ['packages/core/dist/index.js', ['import', 'workerd', 'worker', 'default']],
    ['packages/hono/dist/index.js', ['import', 'workerd', 'worker', 'default']],
  ])('%s with %j imports no Node module', async (entry, conditions) => {
    const { code, imports } = await bundle(entry, conditions)
    expect(imports).toEqual([])
    const named = builtinModules.filter(
      (name) =>
        !name.startsWith('_') && new RegExp(`(from|import|require)\\s*\\(?\\s*["'](node:)?${name}["']`).test(code),
    )
    expect(named).toEqual([])
    expect(code).not.toMatch(/\bnew Function\b|\beval\(/)
  })

  test('core and the Hono adapter run without code generation from strings', async () => {
    const script = join(root, 'test/packages/no-code-generation.mjs')
    const start = (): ReturnType<typeof run> =>
      run(process.execPath, ['--disallow-code-generation-from-strings', script])
    const [first, second] = await Promise.all([start(), start()])
    // Repeatable workflows produce the same bytes in every process.
    expect(second.stdout).toBe(first.stdout)
    expect(JSON.parse(`${first.stdout}`)).toEqual({
      manifest: expect.any(String),
      generates: false,
      execute: [200, { subject: 'Order 7 for Ada', body: '<p>2</p>' }],
      refused: [400, 'WorkflowPayloadInvalidError'],
      discover: [200, ['order']],
      preview: 200,
    })
  })
})

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Metafile } from 'esbuild'
import { rolldown } from 'rolldown'
import { describe, expect, test } from 'vitest'
import { packages, root } from '../repository.ts'

interface Entry {
  readonly name: string
  /** Whether its package declares that imports have side effects. */
  readonly hasEffects: boolean
}

const entries: readonly Entry[] = packages.flatMap(({ file: { name, exports, sideEffects } }) =>
  Object.entries(exports as Record<string, { default?: string }>)
    .filter(([entry]) => entry !== './package.json' && !entry.endsWith('.css'))
    .map(([entry, { default: file = '' }]) => ({
      name: `${name}${entry.slice(1)}`,
      hasEffects: typeof sideEffects === 'object' ? sideEffects.includes(file) : sideEffects !== false,
    })),
)

// These entries extend a test runner with matchers, and can only be loaded by it.
const needsRunner = ['@trestle/testing/bun', '@trestle/testing/jest', '@trestle/testing/vitest']
// Only entries that define elements in a browser may have side effects.
const effective = ['@trestle/inbox/element', ...needsRunner]

/**
 * The compressed size limits of an entry point in KiB: for the initial load, and including everything that is loaded
 * later.
 */
const limits: Readonly<Record<string, readonly [atOnce: number, all: number]>> = {
  '@trestle/protocol': [4.2, 4.2],
  '@trestle/api-client': [11.8, 11.8],
  '@trestle/api-client/events': [9.5, 9.5],
  '@trestle/core': [49.3, 124],
  '@trestle/core/agents': [37.4, 112],
  '@trestle/core/ai': [40.1, 114.7],
  '@trestle/core/cards': [2, 2],
  '@trestle/core/cards/jsx-dev-runtime': [1, 1],
  '@trestle/core/cards/jsx-runtime': [1, 1],
  '@trestle/core/html': [12, 12],
  '@trestle/core/novu': [1, 1],
  '@trestle/core/opentelemetry': [37.8, 112.5],
  '@trestle/bridge-client': [18, 18],
  '@trestle/inbound-mail': [4.3, 4.3],
  '@trestle/html/addresses': [4, 4],
  '@trestle/html/clean': [12, 12],
  '@trestle/html/escape': [1, 1],
  '@trestle/html/plain-text': [2, 2],
  '@trestle/json-schema': [12.5, 12.5],
  '@trestle/run-rules': [6.5, 6.5],
  '@trestle/templates/liquid': [3.3, 3.3],
  '@trestle/templates/text': [1, 1],
  '@trestle/worker-pool': [2.5, 2.5],
  '@trestle/inbox': [6.2, 6.2],
  '@trestle/inbox/element': [26, 26],
  '@trestle/inbox/react': [16, 16],
  '@trestle/codemod': [14.2, 14.2],
  '@trestle/studio': [1, 1],
  '@trestle/service': [294.6, 308.4],
  '@trestle/cli': [347.5, 430],
  '@trestle/testing': [77, 151.6],
  '@trestle/testing/vectors': [39.2, 114],
  '@trestle/testing/lifecycle': [38.4, 113],
  ...Object.fromEntries(needsRunner.map((name) => [name, [6, 6]])),
}
/** An adapter is little more than the core. */
const adapter: readonly [number, number] = [49.3, 124]

const isOwn = (name: string): boolean => name.startsWith('@trestle/')

interface Bundled {
  /** The modules that are loaded with the entry point. */
  readonly atOnce: string
  readonly atOnceKib: number
  readonly allKib: number
}

/** Bundles code that uses packages; external packages are not bundled, and are treated as free of side effects. */
async function bundle(contents: string): Promise<Bundled> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: join(root, 'test') },
    ...{ bundle: true, minify: true, splitting: true, write: false, metafile: true },
    ...{ format: 'esm', platform: 'node', outdir: 'out', legalComments: 'none', logLevel: 'silent' },
    plugins: [
      {
        name: 'others',
        setup({ onResolve }) {
          onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
            isOwn(path) || kind === 'entry-point' ? null : { path, external: true, sideEffects: false },
          )
        },
      },
    ],
  })
  const { outputs } = metafile
  const codeOf = (name: string): Uint8Array =>
    outputFiles.find(({ path }) => path.endsWith(name.slice('out'.length)))?.contents ?? new Uint8Array()
  const kibOf = (names: Iterable<string>): number =>
    [...names].reduce((sum, name) => sum + gzipSync(codeOf(name)).length / 1024, 0)
  const atOnce = staticsOf(outputs)
  return {
    atOnce: [...atOnce].map((name) => Buffer.from(codeOf(name)).toString()).join(''),
    atOnceKib: kibOf(atOnce),
    allKib: kibOf(Object.keys(outputs)),
  }
}

function staticsOf(outputs: Metafile['outputs']): ReadonlySet<string> {
  const statics = new Set<string>()
  const visit = (name: string): void => {
    const output = outputs[name]
    if (!output || statics.has(name)) return
    statics.add(name)
    for (const { path, kind } of output.imports) if (kind === 'import-statement') visit(path)
  }
  // A dynamic import is an entry point, too.
  for (const [name, { entryPoint }] of Object.entries(outputs)) if (entryPoint === '<stdin>') visit(name)
  return statics
}

async function rolldownEntry(contents: string): Promise<string> {
  const entry = 'entry'
  const built = await rolldown({
    input: entry,
    cwd: join(root, 'test'),
    logLevel: 'silent',
    platform: 'node',
    plugins: [
      {
        name: 'others',
        resolveId: (id) =>
          id === entry ? id : isOwn(id) || /^[./]/.test(id) ? null : { id, external: true, moduleSideEffects: false },
        load: (id) => (id === entry ? contents : null),
      },
    ],
  })
  const { output } = await built.generate({ format: 'esm', minify: true })
  await built.close()
  return output.map((file) => (file.type === 'chunk' && file.isEntry ? file.code : '')).join('')
}

test('only entries that add matchers or define elements declare side effects', () => {
  expect(
    entries
      .filter(({ hasEffects }) => hasEffects)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(effective)
})

describe.each(entries)('$name', ({ name, hasEffects }) => {
  test.skipIf(hasEffects)('adds nothing to a bundle that does not use it', async () => {
    const contents = `import ${JSON.stringify(name)}`
    expect((await bundle(contents)).atOnce).toBe('')
    expect((await rolldownEntry(contents)).replace(/export\s*\{\};?/, '').trim()).toBe('')
  })

  test('does not exceed its size limit', async () => {
    const { atOnceKib, allKib } = await bundle(`export * from ${JSON.stringify(name)}`)
    const [mostAtOnce, most] = limits[name] ?? adapter
    const summary = `${name}: ${atOnceKib.toFixed(1)} KiB at once, ${allKib.toFixed(1)} KiB in all`
    expect(atOnceKib, summary).toBeLessThanOrEqual(mostAtOnce)
    expect(allKib, summary).toBeLessThanOrEqual(most)
    // A limit far above the actual size would not detect additions.
    expect(atOnceKib * 1.3 + 2, summary).toBeGreaterThan(mostAtOnce)
  })
})

test('an import has no visible side effects: globals, builtins, environment, listeners, timers', () => {
  const others = packages.flatMap(({ file }) => Object.keys({ ...file.dependencies, ...file.peerDependencies }))
  const names = entries.map(({ name }) => name).filter((name) => !needsRunner.includes(name))
  const args = [
    join(root, 'test/packages/side-effects.mjs'),
    [...new Set(others)].filter((name) => !isOwn(name) && name !== 'vitest').join(),
    names.join(),
  ]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', cwd: join(root, 'test') })
  expect([status, stdout, stderr]).toEqual([0, '', ''])
})

import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

// Run in a package's folder after its types were written: creates a file for each entry in `exports`, and chunks for
// modules that an entry loads on demand. Other packages are not bundled.

/** So small that a separate file would take longer to find and open than to run. */
const bundledEntries = [
  '@trestle/html/escape',
  '@trestle/json-schema',
  '@trestle/templates/text',
  '@trestle/templates/liquid',
]
/** Returns whether a module belongs to the templates package, which is needed only with the first controls. */
const isOfTemplates = (id) => id.includes('/templates/dist/')
/** Entries that their package bundles itself, with everything they import. */
const selfMade = ['element']

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'))
const input = Object.fromEntries(
  Object.values(exports)
    .map((entry) => entry.default)
    .filter((path) => path?.startsWith('./dist/'))
    .map((path) => path.slice('./dist/'.length, -'.js'.length))
    .filter((name) => !selfMade.includes(name))
    .map((name) => [name, join('src', `${name}.ts`)]),
)
const hasOneEntry = Object.keys(input).length === 1
/** The modules that index.ts loads, directly or indirectly, without `import()`. */
const eager = new Set()
/** Modules that several chunks share, but no entry, and that are too small for a separate file. */
const small = new Set()
const smallLength = 1000
/** Entries with a part of index.ts, for bundles that need no more: what they import is a separate chunk. */
const leanEntries = ['events']
const lean = new Set()
/** What discovery loads if no workflow function reads data outside its handlers. */
const straight = new Set()
const bundle = await rolldown({
  plugins: [
    {
      name: 'find-eager',
      buildEnd() {
        const collect = (into, id) => {
          const info = into.has(id) ? null : this.getModuleInfo(id)
          if (!info) return
          into.add(id)
          for (const imported of info.importedIds) collect(into, imported)
        }
        const others = new Set()
        const ids = [...this.getModuleIds()]
        for (const id of ids) if (this.getModuleInfo(id)?.isEntry) collect(id.endsWith('index.ts') ? eager : others, id)
        for (const id of ids) if (id.endsWith('/src/discovery/discover.ts')) collect(straight, id)
        for (const id of ids) if (leanEntries.some((name) => id.endsWith(`/src/${name}.ts`))) collect(lean, id)
        for (const id of ids) {
          const { importers, code } = this.getModuleInfo(id) ?? {}
          if (importers?.length > 1 && code?.length < smallLength && !others.has(id) && !isOfTemplates(id))
            small.add(id)
        }
      },
    },
  ],
  input,
  platform: 'neutral',
  external: (id) => !id.startsWith('.') && !id.startsWith('/') && !bundledEntries.includes(id),
  onLog(level, log) {
    // Rolldown warns about directives outside entries; only entries have one.
    if (log.code === 'MODULE_LEVEL_DIRECTIVE') return
    throw new Error(`${level}: ${log.message}`)
  },
})
rmSync(join('dist', 'chunks'), { recursive: true, force: true })
await bundle.write({
  dir: 'dist',
  format: 'esm',
  // For debugging in the repository; not published.
  sourcemap: 'hidden',
  // The type declarations keep the documentation; running code only needs the comments that bundlers read.
  comments: { jsdoc: false, legal: false, annotation: true },
  entryFileNames: '[name].js',
  // One chunk for what is loaded at startup, and one each for the first discovery, the first controls and the first
  // template that is not plain. By default, each set of modules with the same importers would get a separate file, and
  // finding and opening a file takes longer than running the lines in it.
  codeSplitting: hasOneEntry
    ? { groups: [] }
    : {
        groups: [
          { name: 'lean', test: (id) => lean.has(id) },
          { name: 'main', test: (id) => eager.has(id) || small.has(id) || id.includes('rolldown/runtime') },
          { name: 'discover', test: (id) => straight.has(id) && id.includes('/src/discovery/') },
          { name: 'discovery', test: (id) => id.includes('/src/discovery/') },
          // The parts of controls that discovery needs are in a separate chunk.
          {
            name: 'controls',
            test: (id) =>
              /\/src\/controls\/(plain\/)?[\w-]+\.ts$|\/templates\/dist\/(?!liquid)/.test(id) && !id.includes('faults'),
          },
          { name: 'template-engine', test: (id) => /\/src\/controls\/templates\/|\/templates\/dist\/liquid/.test(id) },
        ],
      },
  chunkFileNames: 'chunks/[name]-[hash].js',
})

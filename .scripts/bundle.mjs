import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

// Run in a package's folder after its types were written: one file for each entry in `exports`, and chunks for what an
// entry imports only when it needs it. Packages are left to be imported.

/** Entries that their package bundles by itself, with all they import. */
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
/** The modules that are there as soon as a package is: what index.ts imports, and what that imports, but not `import()`. */
const eager = new Set()
/** Modules so small that a file of their own would cost more than they do, where several chunks share them, but no entry. */
const small = new Set()
const smallLength = 1000
/** Entries that hold a part of index.ts for bundles that need no more: what they import is a chunk of its own. */
const leanEntries = ['events']
const lean = new Set()
/** What the first discovery needs where no function asks for data outside of its handlers. */
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
          if (importers?.length > 1 && code?.length < smallLength && !others.has(id)) small.add(id)
        }
      },
    },
  ],
  input,
  platform: 'neutral',
  external: (id) => !id.startsWith('.') && !id.startsWith('/'),
  onLog(level, log) {
    // An entry keeps its directive, and only entries have one.
    if (log.code === 'MODULE_LEVEL_DIRECTIVE') return
    throw new Error(`${level}: ${log.message}`)
  },
})
rmSync(join('dist', 'chunks'), { recursive: true, force: true })
await bundle.write({
  dir: 'dist',
  format: 'esm',
  // Kept beside the file for debugging here, and not published.
  sourcemap: 'hidden',
  // Types keep the documentation; of the comments only those that bundlers read are of use in what runs.
  comments: { jsdoc: false, legal: false, annotation: true },
  entryFileNames: '[name].js',
  // One chunk for all that is needed at once, and one each for the rooms that are entered at the first discovery or
  // preview, the first controls and the first template that is not plain, else each set of sharers would get a file of its
  // own: to find, open and read a file costs more than the lines in it.
  codeSplitting: hasOneEntry
    ? { groups: [] }
    : {
        groups: [
          { name: 'lean', test: (id) => lean.has(id) },
          { name: 'main', test: (id) => eager.has(id) || small.has(id) || id.includes('rolldown/runtime') },
          { name: 'discover', test: (id) => straight.has(id) && id.includes('/src/discovery/') },
          { name: 'discovery', test: (id) => id.includes('/src/discovery/') },
          // What discovery asks of controls stays with it.
          {
            name: 'controls',
            test: (id) => /\/src\/controls\/(plain\/)?[\w-]+\.ts$/.test(id) && !id.includes('faults'),
          },
          { name: 'template-engine', test: (id) => id.includes('/src/controls/templates/') },
        ],
      },
  chunkFileNames: 'chunks/[name]-[hash].js',
})

import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

// Run in a package's folder after its types were written: one file for each entry in `exports`, and chunks for what an
// entry imports only when it needs it. Packages are left to be imported.

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'))
const input = Object.fromEntries(
  Object.values(exports)
    .map((entry) => entry.default)
    .filter((path) => path?.startsWith('./dist/'))
    .map((path) => path.slice('./dist/'.length, -'.js'.length))
    .map((name) => [name, join('src', `${name}.ts`)]),
)
/** The modules that are there as soon as a package is: what index.ts imports, and what that imports, but not `import()`. */
const eager = new Set()
const bundle = await rolldown({
  plugins: [
    {
      name: 'find-eager',
      buildEnd() {
        const visit = (id) => {
          const info = eager.has(id) ? null : this.getModuleInfo(id)
          if (!info) return
          eager.add(id)
          info.importedIds.forEach(visit)
        }
        for (const id of this.getModuleIds()) if (this.getModuleInfo(id)?.isEntry && id.endsWith('index.ts')) visit(id)
      },
    },
  ],
  input,
  platform: 'neutral',
  external: (id) => !id.startsWith('.') && !id.startsWith('/'),
  onLog(level, log) {
    throw new Error(`${level}: ${log.message}`)
  },
})
rmSync(join('dist', 'chunks'), { recursive: true, force: true })
await bundle.write({
  dir: 'dist',
  format: 'esm',
  sourcemap: true,
  // Types keep the documentation; of the comments only those that bundlers read are of use in what runs.
  comments: { jsdoc: false, legal: false, annotation: true },
  entryFileNames: '[name].js',
  // One chunk for all that is needed at once, else each set of sharers would get a file of its own.
  codeSplitting: { groups: [{ name: 'main', test: (id) => eager.has(id) }] },
  chunkFileNames: 'chunks/[name]-[hash].js',
})

import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const plain = `
import { Hono } from 'hono'
export default new Hono().all('/api', (context) => context.text(''))
`
const source = `
import { workflow } from '@trestle/core'
import { serve } from '@trestle/hono'
import { Hono } from 'hono'
const one = workflow('one', async ({ step }) => { await step.sms('text', () => ({ body: 'x' })) })
export default new Hono().all('/api', serve({ workflows: [one] }))
`

/**
 * Measures the size that Trestle adds to an app with Hono, minified by esbuild and compressed.
 *
 * @returns {Promise<{ firstBytes: number, allBytes: number }>} The size of the chunks that are loaded for a first
 * signed execute call without templates, and of all chunks.
 */
export async function measureSize() {
  const [app, { firstBytes }, all] = [
    await bundle(plain, true),
    await bundle(source, true),
    await bundle(source, false),
  ]
  return { firstBytes: firstBytes - app.allBytes, allBytes: all.allBytes - app.allBytes }
}

async function bundle(text, splitting) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-size-'))
  const here = fileURLToPath(new URL('.', import.meta.url))
  const entry = join(here, 'entry-size.tmp.mjs')
  writeFileSync(entry, text)
  const { metafile } = await build({
    entryPoints: [entry],
    outdir: folder,
    bundle: true,
    splitting,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    metafile: true,
    logLevel: 'error',
    external: ['zod-to-json-schema', '@valibot/to-json-schema'],
  })
  const outputs = Object.entries(metafile.outputs)
  const first = new Set()
  const visit = (name) => {
    if (first.has(name)) return
    first.add(name)
    for (const { path, kind } of metafile.outputs[name]?.imports ?? []) if (kind === 'import-statement') visit(path)
  }
  visit(outputs.find(([, { entryPoint }]) => entryPoint?.endsWith('entry-size.tmp.mjs'))?.[0])
  const bytes = (names) =>
    names.reduce(
      (sum, name) => sum + gzipSync(readFileSync(join(folder, name.split('/').at(-1))), { level: 9 }).length,
      0,
    )
  const all = readdirSync(folder).filter((name) => name.endsWith('.js'))
  return { firstBytes: bytes([...first]), allBytes: bytes(all) }
}

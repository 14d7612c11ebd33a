import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { root } from './source.ts'

interface Generator {
  /** Returns the generated files as texts: by folder, then by name. */
  generateAll(): Promise<Readonly<Record<string, Readonly<Record<string, string>>>>>
}

test('generated code is what `npm run generate` writes for the operations as they are', async () => {
  const script = pathToFileURL(join(root, '.scripts/generate/generate-all.mjs')).href
  const folders = await ((await import(script)) as Generator).generateAll()
  expect(Object.keys(folders).length).toBeGreaterThan(0)
  for (const [folder, files] of Object.entries(folders)) {
    const names = readdirSync(join(root, folder)).sort()
    expect(names, folder).toEqual(Object.keys(files).sort())
    const stale = names.filter((name) => readFileSync(join(root, folder, name), 'utf8') !== files[name])
    expect(stale, `Run npm run generate. Stale in ${folder}`).toEqual([])
  }
})

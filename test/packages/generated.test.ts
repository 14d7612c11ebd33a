import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { root } from '../repository.ts'

interface Generator {
  /** Returns the generated files: by folder, then by name. */
  generateAll(): Promise<Readonly<Record<string, Readonly<Record<string, string>>>>>
  /** Returns the generated pages by path. */
  generatePages(): Promise<Readonly<Record<string, string>>>
}

async function loadGenerator(): Promise<Generator> {
  return await import(pathToFileURL(join(root, '.scripts/generate/generate-all.mjs')).href)
}

test('generated pages equal the output of `npm run generate`', async () => {
  const pages = Object.entries(await (await loadGenerator()).generatePages())
  expect(pages.length).toBeGreaterThan(0)
  for (const [path, text] of pages) expect(readFileSync(join(root, path), 'utf8'), 'Run npm run generate').toBe(text)
})

test('generated code equals the output of `npm run generate`', async () => {
  const folders = await (await loadGenerator()).generateAll()
  expect(Object.keys(folders).length).toBeGreaterThan(0)
  for (const [folder, files] of Object.entries(folders)) {
    const names = readdirSync(join(root, folder)).sort()
    expect(names, folder).toEqual(Object.keys(files).sort())
    const stale = names.filter((name) => readFileSync(join(root, folder, name), 'utf8') !== files[name])
    expect(stale, `Run npm run generate. Stale in ${folder}`).toEqual([])
  }
})

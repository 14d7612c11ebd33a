import { expect, test } from 'vitest'
import { packages, sourcesOf } from '../packages/source.ts'

/** The folders of the kit, lowest first: each imports only from those before it. Tests may look further up. */
const layers = ['report', 'context', 'isolation', 'bridge', 'simulator', 'conformance']

const sources = packages.filter(({ folder }) => folder === 'testing').flatMap(sourcesOf)
const layerOf = (name: string): string => (name.includes('/') ? (name.split('/')[0] ?? '') : '')

test('every file but the entries lies in a layer, and every layer has files', () => {
  const root = sources.map(({ name }) => name).filter((name) => layerOf(name) === '')
  expect(root).toEqual(['bun.ts', 'index.ts', 'jest.ts', 'vitest.ts'])
  expect([...new Set(sources.map(({ name }) => layerOf(name)))].sort()).toEqual(['', ...layers].sort())
})

test('imports go one way', () => {
  const wrong = sources.flatMap(({ name, imports }) => {
    if (layerOf(name) === '') return []
    const own = imports.filter((path) => path.endsWith('.ts') && !path.includes(':'))
    return own
      .filter((path) => layerOf(path) === '' || layers.indexOf(layerOf(path)) > layers.indexOf(layerOf(name)))
      .map((path) => `${name} -> ${path}`)
  })
  expect(wrong).toEqual([])
})

test('a folder holds about a dozen files', () => {
  for (const layer of layers)
    expect(sources.filter(({ name }) => layerOf(name) === layer).length, layer).toBeLessThanOrEqual(17)
})

import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { packages, sourcesOf } from '../packages/source.ts'

/** The folders of the kit, lowest first: each imports only from those before it. Tests may look further up. */
const layers = ['report', 'matchers', 'context', 'isolation', 'bridge', 'simulator', 'conformance']

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

test('a folder holds a dozen files at most', () => {
  const counts = new Map<string, number>()
  for (const { name } of sources) counts.set(dirname(name), (counts.get(dirname(name)) ?? 0) + 1)
  expect([...counts].filter(([, count]) => count > 12)).toEqual([])
})

test('no two folders import each other', () => {
  const edges = new Map<string, string[]>()
  for (const { name, imports } of sources)
    for (const path of imports.filter((found) => found.endsWith('.ts') && dirname(found) !== dirname(name)))
      edges.set(dirname(name), [...(edges.get(dirname(name)) ?? []), dirname(path)])
  const pairs = [...edges].flatMap(([from, to]) =>
    to.filter((other) => edges.get(other)?.includes(from)).map((other) => [from, other]),
  )
  expect(pairs).toEqual([])
})

import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, it } from 'vitest'

const folder = new URL('..', import.meta.url)
const readme = readFileSync(new URL('../README.md', folder), 'utf8')
const guarantees = readme
  .slice(readme.indexOf('## Guarantees'))
  .split('\n')
  .filter((line) => line.startsWith('- '))
const tests = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.ts'))
const sources = tests
  .map((name) => readFileSync(new URL(name, folder), 'utf8').replaceAll(/\\(['"])/g, '$1'))
  .join('\n')

it('finds every test the README names', () => {
  const named = guarantees.flatMap((line) => [...line.replaceAll('\\"', '”').matchAll(/"([^"]+)"/g)])
  expect(named.length).toBeGreaterThanOrEqual(20)
  for (const [, name = ''] of named) expect(sources).toContain(name.replaceAll('”', '"'))
  const files = [...readme.matchAll(/`(\S+\.test\.ts)`/g)].map(([, file = '']) => file)
  for (const file of files) expect(tests.map((path) => basename(path))).toContain(file)
})

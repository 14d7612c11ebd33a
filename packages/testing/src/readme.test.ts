import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../../', import.meta.url)
const folders = ['packages/testing/src/', 'test/testing/'].map((folder) => new URL(folder, root))
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const sources = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => [name.replace(/.*\//, ''), readFileSync(new URL(name, folder), 'utf8')] as const),
)

test('the guide shows the tests of the examples as they are', () => {
  const blocks = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, text = '']) => text)
  for (const name of ['welcome', 'order-shipped', 'comment-digest', 'sign-in-code'])
    expect(blocks).toContain(readFileSync(new URL(`test/examples/${name}.test.ts`, root), 'utf8'))
})

test('every guarantee names a test that is there', () => {
  const lines = readme
    .slice(readme.indexOf('## Guarantees'))
    .split('\n')
    .filter((line) => line.includes('.test.ts'))
  expect(lines.length).toBeGreaterThan(15)
  for (const line of lines) {
    const [, file] = /`(\S+\.test\.ts)`/.exec(line) ?? []
    const [, source = ''] = sources.find(([name]) => name === file) ?? []
    for (const [, name = ''] of line.replaceAll('\\"', '”').matchAll(/"([^"]+)"/g))
      expect(source).toContain(name.replaceAll('”', '"'))
  }
})

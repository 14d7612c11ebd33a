import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../../', import.meta.url)
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

test('the guide shows the tests of the examples unchanged', () => {
  const blocks = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, text = '']) => text)
  for (const name of ['welcome', 'order-shipped', 'comment-digest', 'sign-in-code'])
    expect(blocks).toContain(readFileSync(new URL(`test/examples/${name}.test.ts`, root), 'utf8'))
})

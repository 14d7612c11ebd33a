import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')

test.each([
  ['packages/testing/README.md', ['welcome']],
  ['packages/docs/testing/examples.md', ['order-shipped', 'comment-digest', 'sign-in-code']],
])('%s shows the tests of the examples unchanged', (page, names) => {
  const blocks = [...read(page).matchAll(/```ts\n(.*?)```/gs)].map(([, text = '']) => text)
  for (const name of names) expect(blocks).toContain(read(`test/examples/${name}.test.ts`))
})

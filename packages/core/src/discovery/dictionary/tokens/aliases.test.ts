import { expect, test } from 'vitest'
import { toAliases } from './aliases.ts'
import { scanTokens } from './scan-tokens.ts'

test.each([
  ['a pattern', 'const [first, second] = list', 'first', ['list']],
  ['an item of a loop', 'for (const item of payload.items) f(item)', 'item', ['items']],
  ['what is grouped', 'counts[item.sku] = item.qty', 'counts', ['sku']],
])('%s stands for what it is made of: %s', (_what, source, name, expected) => {
  const aliases = toAliases(scanTokens(source), new Set(['counts']))
  expect([...(aliases.get(name) ?? [])]).toEqual(expect.arrayContaining(expected))
})

test.each(['counts[item.sku] = item.qty', 'f(x)[item.sku] = 1', 'all[0][item.sku] = 1'])(
  'the key of an element is no variable that is assigned to: %s',
  (source) => {
    expect(toAliases(scanTokens(source), new Set()).get('item')).toBeUndefined()
  },
)

import { expect, test } from 'vitest'
import { toAliases } from './aliases.ts'
import { toGrouped, toReadGroups } from './groups.ts'
import { scanTokens } from './scan-tokens.ts'

test.each<[string, string, readonly string[]]>([
  ['an assignment', 'all[e.kind] = 1; all.paid', ['paid']],
  ['a sum', 'all[e.kind] += 1; all.paid', ['paid']],
  ['a count', 'all[e.kind]++; all.paid', ['paid']],
  ['a list', '(all[e.kind] ??= []).push(e); all["paid"]', ['paid']],
  ['a map', 'all.set(e.kind, 1); all.get("paid")', []],
  ['groupBy', 'const all = Object.groupBy(list, (e) => e.kind); all.paid', ['paid']],
  ['another variable', 'all[e.kind] = 1; const found = all; found.paid', ['paid']],
  ['an optional read', 'all[e.kind] = 1; all?.paid', ['paid']],
  ['no comparison', 'all[e.kind] === 1; all.paid', []],
  ['nothing that all objects have', 'all[e.kind] = 1; all.__proto__; all.constructor; all["toString"]', []],
  ['no method', 'all[e.kind] = 1; all.paid()', []],
  ['no other variable', 'all[e.kind] = 1; other.paid', []],
])('what is read of groups is told, of %s', (_what, source, expected) => {
  const tokens = scanTokens(source)
  const grouped = toGrouped(tokens)
  const found = toReadGroups(tokens, toAliases(tokens, grouped), grouped)
  expect(found.map(({ value }) => value)).toEqual(expected)
})

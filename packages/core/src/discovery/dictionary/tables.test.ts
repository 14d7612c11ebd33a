import { expect, test } from 'vitest'
import { toHeld } from './tables.ts'
import { toAliases } from './tokens/aliases.ts'
import { scanTokens } from './tokens/scan-tokens.ts'

test.each([
  ['a bound', 'const rows = [{ min: 5 }]; rows.find((row) => payload.total >= row.min)', 'min', 'total', true],
  ['a value', 'const rows = [{ kind: "a" }]; rows.find((row) => payload.type === row.kind)', 'kind', 'type', false],
  [
    'a bound, and then a value',
    'const rows = [{ min: 5 }]; rows.find((row) => payload.total >= row.min || row.min === payload.exact)',
    'min',
    'exact',
    false,
  ],
  [
    'a value, and then a bound',
    'const rows = [{ min: 5 }]; rows.find((row) => row.min === payload.exact || payload.total >= row.min)',
    'min',
    'total',
    false,
  ],
  ['an item', 'const roles = ["a", "b"]; roles.every((role) => payload.perms.includes(role))', 'roles', 'perms', false],
])('%s of a table is held against data: %s', (_what, source, name, against, isOrdered) => {
  const tokens = scanTokens(source)
  const held = toHeld(tokens, toAliases(tokens, new Set())).get(name)
  expect([held?.names.has(against), held?.isOrdered]).toEqual([true, isOrdered])
})

test.each([
  ['is only handed on', 'const row = { min: 5 }; send(row.min, payload.total)'],
  ['is given a comparison', 'const row = { min: 5 }; return { min: payload.total > 3 }'],
])('a field of a table that %s is held against nothing', (_what, source) => {
  const tokens = scanTokens(source)
  expect(toHeld(tokens, toAliases(tokens, new Set())).get('min')).toBeUndefined()
})

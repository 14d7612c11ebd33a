import { expect, test } from 'vitest'
import { toCopied } from './copies.ts'
import { scanTokens } from './tokens/scan-tokens.ts'

const copiedOf = (source: string): readonly string[] => [...toCopied(scanTokens(source))].sort()

test.each<[string, string, readonly string[]]>([
  ['a named copy', 'const own = { ...payload.user }; own.plan; payload.kind', ['plan']],
  ['what no variable is told of', 'send({ ...payload }); given.plan', ['plan']],
  ['what is added to', 'send({ at: 1, ...payload }); given.plan', ['plan']],
  ['each item', 'list.map((item) => ({ ...item })).some((row) => row.plan)', ['plan']],
  ['the rest of a pattern', 'const { id, ...rest } = payload; rest.plan; given.kind', ['plan']],
  [
    'the rest of a pattern in another',
    'const { user: { id, ...rest }, at } = payload; rest.plan; given.kind',
    ['plan'],
  ],
  ['the rest of a parameter', 'list.map(({ id, ...rest }, at) => rest.plan); given.kind', ['plan']],
  ['the rest of each', 'for (const { id, ...rest } of list) rest.plan; given.kind', ['plan']],
  ['no length', 'const own = { ...payload }; own.length', []],
  ['nothing that all objects have', 'const own = { ...payload }; own.__proto__; own.constructor; own.plan', ['plan']],
  ['no method', 'const own = { ...payload }; own.plan.trim()', ['plan']],
  ['no text that JSON makes', 'send(JSON.stringify(payload)); given.plan', []],
  ['JSON that is read again', 'const own = JSON.parse(JSON.stringify(payload)); own.plan; given.kind', ['plan']],
  ['a pattern', 'const { plan } = structuredClone(payload)', ['plan']],
  ['nothing without a copy', 'const own = payload.user; own.plan; [...own.tags]', []],
])('tells the fields of %s', (_name, source, expected) => {
  expect(copiedOf(source)).toEqual(expected)
})

test('what is read of the whole payload leaves room for what is read of copies', () => {
  const reads = Array.from({ length: 20 }, (_, at) => `payload.field${at};`).join('')
  const fields = copiedOf(`${reads} list.map((item) => ({ ...item })).map((row) => row.total)`)
  expect([fields.length, fields.includes('total')]).toEqual([12, true])
})

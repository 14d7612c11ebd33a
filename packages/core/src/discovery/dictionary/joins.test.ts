import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Join, toJoins } from './joins.ts'
import { toAliases } from './tokens/aliases.ts'
import { scanTokens } from './tokens/scan-tokens.ts'

function joinsOf(source: string): readonly Join[] {
  const tokens = scanTokens(source)
  return toJoins(tokens, toAliases(tokens, new Set()))
}

const anyText = fc
  .array(fc.constantFrom(...'ab:/.- _#{}()[]+,'), { maxLength: 4 })
  .map((signs) => signs.join(''))
  .filter((text) => !text.includes('${'))
const anyPiece = fc.constantFrom(
  'payload.kind',
  'payload?.order.status',
  "payload['region']",
  'kind',
  'payload.name.trim()',
  'payload.list[0]',
  'String(payload.count)',
)
const anyShape = fc
  .tuple(anyText, fc.array(fc.tuple(anyPiece, anyText), { minLength: 1, maxLength: 4 }))
  .map(([first, rest]) => ({
    fixed: [first, ...rest.map(([, text]) => text)],
    pieces: rest.map(([piece]) => piece),
  }))
  .filter(({ fixed }) => fixed.some((text) => text !== ''))
const lastName = (piece: string): string => piece.match(/\w+/g)?.findLast((word) => !/^(0|trim)$/.test(word)) ?? ''

describe('a text that is put together is found as it is written', () => {
  test('as a template', () => {
    fc.assert(
      fc.property(anyShape, ({ fixed, pieces }) => {
        const inside = pieces.map((piece, at) => `\${${piece}}${fixed[at + 1]}`).join('')
        const [join] = joinsOf(`({ payload }) => { if (\`${fixed[0]}${inside}\` === 'x') a() }`)
        expect(join?.fixed).toEqual(fixed)
        expect(join?.pieces.map((names, at) => names.includes(lastName(pieces[at] ?? '')))).not.toContain(false)
      }),
    )
  })

  test('as a sum', () => {
    fc.assert(
      fc.property(anyShape, ({ fixed, pieces }) => {
        const operands = [JSON.stringify(fixed[0])]
        for (const [at, piece] of pieces.entries()) operands.push(piece, JSON.stringify(fixed[at + 1]))
        const [join] = joinsOf(`({ payload }) => { if (${operands.join(' + ')} === other) a() }`)
        expect(join?.fixed).toEqual(fixed)
      }),
    )
  })

  test('as a list', () => {
    fc.assert(
      fc.property(fc.array(anyPiece, { minLength: 2, maxLength: 4 }), anyText, (pieces, separator) => {
        if (separator === '') return
        const [join] = joinsOf(
          `({ payload }) => [${pieces.join(', ')}].join(${JSON.stringify(separator)}) === 'x' && a()`,
        )
        expect(join?.fixed).toEqual(['', ...pieces.slice(1).map(() => separator), ''])
        expect(join?.pieces).toHaveLength(pieces.length)
      }),
    )
  })
})

test.each([
  '`${a}${b}`',
  'payload.n + 1',
  "const text = 'a' + 'b'",
  '`${1}:`',
  "'a' + ",
  '`a${',
  "[].join(',')",
  '`${a}${b}${c}${d}${e}${f}${g}:${h}`',
])('%s is none', (source) => {
  expect(joinsOf(source)).toEqual([])
})

test('what stands nearest to its end comes first of the names of a piece, then what a variable stands for', () => {
  const [join] = joinsOf(
    '({ payload }) => { const { country: from } = payload.address; if (`ship-${from}` === "x") a() }',
  )
  expect(join?.pieces[0]?.[0]).toBe('from')
  expect(join?.pieces[0]).toContain('country')
})

test.each([
  ['payload.key === `a${payload.x}`', ['key', 'payload']],
  ["'a' + payload.x !== payload.key", ['key', 'payload']],
  ['payload.keys.includes(`a${payload.x}`)', ['keys', 'payload']],
  ["[payload.x, payload.y].join('-') == payload.key", ['key', 'payload']],
  ['`a${payload.x}` === "literal"', []],
  ['log(`a${payload.x}`)', []],
])('%s tells what it is compared with', (source, names) => {
  expect(joinsOf(source)[0]?.against.slice(0, 2)).toEqual(names)
})

test('any source text is read in proportion to its length', () => {
  const sources = ["'a'+", "a+'b'+", '`${', '`${a}', "[a,].join('", '`${`${', "('a'+("].map((one) => one.repeat(20_000))
  const startMs = process.cpuUsage().user / 1000
  for (const source of sources) expect(joinsOf(source).length).toBeLessThanOrEqual(20)
  expect(process.cpuUsage().user / 1000 - startMs).toBeLessThan(5000)
})

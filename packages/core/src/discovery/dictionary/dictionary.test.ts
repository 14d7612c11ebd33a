import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { processorMs } from '../../processor-time.fixture.ts'
import { toDictionary } from './dictionary.ts'
import { scanTokens } from './tokens/scan-tokens.ts'

const textsOf = (source: string): string[] =>
  scanTokens(source).flatMap(({ type, value }) => (type === 'text' ? [value] : []))
const numbersOf = (source: string): number[] =>
  [...toDictionary(source).numbers].map(({ value }) => value).sort((left, right) => left - right)

describe('the scanner', () => {
  const texts: readonly [string, string, string[]][] = [
    ['both quotes', `a = 'x' + "y"`, ['x', 'y']],
    ['escapes', `'it\\'s' + "\\n\\x41\\u00e9\\u{1F600}\\\\"`, ["it's", '\nAé😀\\']],
    ['a surrogate pair', `'\\ud83d\\ude00'`, ['😀']],
    ['a text over two lines', `'a\\\nb'`, ['ab']],
    ['a template without expressions', '`plain`', ['plain']],
    [
      'the expressions of templates',
      "`a${x === 'in' ? `b${y === 'deep'}` : { k: 'obj' }.k}c` + 'after'",
      ['in', 'deep', 'obj', 'after'],
    ],
    ['nothing of comments', `/* 'no' */ 'yes' // "no"\n 'too'`, ['yes', 'too']],
    ['nothing of regular expressions', `x.match(/'[/"]/) && y === 'yes'; return /[/']/.test('z')`, ['yes', 'z']],
    ['a division', `a / b === 'x' / 2 && (a) / 'y'`, ['x', 'y']],
    ['a text that does not end', `don't { 'x'\n 'y'`, ['y']],
    ['a template that does not end', "`abc ${ 'x' ", ['x']],
  ]
  it.each(texts)('reads %s', (_name, source, expected) => {
    expect(textsOf(source).filter((text) => !text.includes('{'))).toEqual(expected)
  })

  it.each([
    ['1e3 + .5 + 5. + 0x10 + 0b11 + 0o17 + 1_000 + 10n', [0.5, 3, 5, 10, 15, 16, 1000]],
    ['x > -5 && y < -0.5', [-5, -0.5]],
    ['x - 5 > a[1] - 2', [1, 2, 5]],
    ['return -7', [-7]],
    ['a1 + b2', []],
    ['x > 1e999 || y > 2', [2]],
    ['items[0].x.at(1)', [0, 1]],
    ["['a', 'b', 'c'].includes(x)", [3]],
  ] as const)('reads the numbers of %s', (source, expected) => {
    expect(numbersOf(source)).toEqual(expected)
  })

  it('takes any text, and never fails', () => {
    const piece = fc.constantFrom(
      "'",
      '"',
      '`',
      '${',
      '}',
      '/',
      '*',
      '\\',
      '\n',
      'u{',
      'x',
      '1e',
      '.',
      '#',
      '\ud83d',
      '[',
      ']',
    )
    const source = fc.array(fc.oneof(piece, fc.string({ maxLength: 4 })), { maxLength: 40 }).map((all) => all.join(''))
    fc.assert(
      fc.property(source, (text) => {
        toDictionary(text)
      }),
      { numRuns: Number(process.env['FC_RUNS'] ?? 2000) },
    )
  })

  it.each(["'", '`${', '/', '[', '`', '//', '/*', '\\', '1.', 'a:{', '1'])(
    'takes time in proportion to the text: %s',
    (piece) => {
      const startMs = processorMs()
      toDictionary(piece.repeat(200_000 / piece.length))
      expect(processorMs() - startMs).toBeLessThan(3000)
    },
  )

  const many = (write: (index: number) => string): string =>
    Array.from({ length: 15_000 }, (_, at) => write(at)).join('')
  it.each([
    ['one literal beside many names', many((at) => `a${at}===1;`)],
    ['many names in a switch', `switch(${many((at) => `a${at} `)}){${'case 1:'.repeat(5000)}}`],
    ['classes that do not end', '=/['.repeat(40_000)],
    ['texts that are read as JSON', many((at) => `const o${at}=JSON.parse(a${at});o${at}.x;`)],
    ['patterns that have a name', many((at) => `const r${at}=/x/;r${at}.test(a);`)],
    ['addresses, letters and parts of dates', many((at) => `new URL(a${at}).port;a${at}.toUpperCase().getDay();`)],
  ])('and no more for %s', (_name, source) => {
    const startMs = processorMs()
    toDictionary(source)
    expect(processorMs() - startMs).toBeLessThan(3000)
  })
})

describe('the dictionary', () => {
  const near = (source: string, name: string): unknown[] => {
    const { texts, numbers } = toDictionary(source)
    return [...texts, ...numbers]
      .filter(({ names, isCompared }) => isCompared && names.has(name))
      .map(({ value }) => value)
  }

  it.each([
    ["if (subscriber.locale === 'de' && env.MODE === 'x') {}", 'locale', ['de']],
    ["a.locale==='de'?b('x'):c", 'locale', ['de']],
    ["'de' === p?.locale", 'locale', ['de']],
    ['digest.events.length > 2', 'events', [2]],
    ["['de', 'at'].includes(s.locale)", 'locale', ['de', 'at']],
    [
      "switch (payload.status) { case 'paid': f(); break; case 'open': { g() } case 3: h() }",
      'status',
      ['paid', 'open', 3],
    ],
    ["p.name.startsWith('vip-')", 'name', ['vip-']],
    ['p.total > 3 && p.total < 10', 'total', [3, 10]],
    ["payload['kind'] === 'gold'", 'kind', ['gold']],
    ["f(x)['a b'] !== 'one' && y", 'a b', ['one']],
    ["const kind = payload.type\nif (kind === 'gold') {}", 'type', ['gold']],
    ['const n=e.name?.length??0;if(n>40)f()', 'length', [40]],
    ['const { length: n } = payload.name; n > 40', 'name', [40]],
    ['const { name } = payload; let size; size = name.length; if (size > 40) f()', 'length', [40]],
    ["switch (kind) { case 'a': f() } kind = p.type", 'type', ['a']],
    ["const a = p.x\nconst b = p.y\nif (b === 'no') f()", 'x', []],
    ["p.kind = p.x; if (kind === 'no') f()", 'x', []],
  ] as const)('knows beside what a literal stands: %s', (source, name, expected) => {
    expect(near(source, name)).toEqual(expected)
  })

  it('leaves out the ids of steps, and knows them', () => {
    const { texts, known } = toDictionary("await step.sms('tell', () => ({ body: 'Hi' })); await s.email(`mail`, f)")
    expect(texts.map(({ value }) => value)).not.toContain('tell')
    expect([...known]).toEqual(['tell', 'Hi', 'mail'])
  })

  it.each([
    ['p.n > 3', true],
    ['3 <= p.n', true],
    ['p.n === 3', false],
    ['p.n > 3 || p.n === 3', false],
    ['[3].includes(p.n)', false],
    ['f(3)', false],
  ])('knows whether a literal is only held against what is smaller or greater: %s', (source, expected) => {
    expect(toDictionary(source).numbers.find(({ value }) => value === 3)?.isOrdered).toBe(expected)
  })

  it('takes the name of a property in brackets for no value, and what a list holds for one', () => {
    const { texts } = toDictionary("if (payload['kind'] === 'gold' && ['only'].includes(x)) f()")
    expect(texts.map(({ value }) => value).toSorted()).toEqual(['gold', 'only'])
  })

  it('knows the types that are asked for', () => {
    expect([...toDictionary("typeof x === 'string' || Array.isArray(y) || 'number' != typeof z").types]).toEqual([
      'string',
      'array',
      'number',
    ])
  })

  it('is bounded, what is compared first', () => {
    const many = Array.from({ length: 500 }, (_, index) => `f('t${index}', ${index})`).join(';')
    const { texts, numbers } = toDictionary(`${many}; x === 'last'; y > 9999`)
    expect([texts.length, numbers.length]).toEqual([100, 100])
    expect([texts[0]?.value, numbers[0]?.value]).toEqual(['last', 9999])
  })

  it('takes no longer for each pattern where there are thousands of them', () => {
    const startMs = processorMs()
    const { patterns } = toDictionary(`${'const a = /x/\n'.repeat(10_000)}const b = /^ORD-/; b.test(payload.id)`)
    expect(processorMs() - startMs).toBeLessThan(3000)
    expect(patterns.find(({ value }) => value === '^ORD-')?.names).toContain('id')
  })
})

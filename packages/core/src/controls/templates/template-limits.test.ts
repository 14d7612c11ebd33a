import { isCodedError, type JsonObject } from '@trestle/protocol'
import { describe, expect, test } from 'vitest'
import { processorMs } from '../../../../../test/processor-time.ts'
import { someOf } from '../../../../../test/scope.ts'
import { compileSchema } from '../../schema/compile-schema.ts'
import { createTemplateBudget } from '../plain/template-budget.ts'
import { resolveControls } from '../resolve-controls.ts'
import { templateEngine } from './template-engine.ts'

const big = 50_000
const nasty: Readonly<Record<string, unknown>> = {
  angles: '<'.repeat(big),
  comments: '<!--'.repeat(big / 4),
  tags: '<a b="'.repeat(big / 6),
  scripts: '<script'.repeat(big / 7),
  ampersands: '&'.repeat(big),
  spaces: `x${' '.repeat(big)}x`,
  lines: '\r\n'.repeat(big / 2),
  percents: '%'.repeat(big),
  words: 'a '.repeat(big / 2),
  pairs: '😀'.repeat(big / 2),
  broken: '\ud800'.repeat(big),
  base64: 'QUJD'.repeat(big / 4),
  number: '1'.repeat(big),
  list: Array.from({ length: 20_000 }, (_, index) => ({ a: String(index % 7), b: [index] })),
  nested: Array.from({ length: 60 }).reduce<unknown>((inner) => [inner, inner === null ? 1 : 'x'], null),
}
const payload = { ...nasty, id: 'o-1', n: 1e300, file: 'package.json', one: { a: 1 }, few: [{ a: 1 }, { a: 2 }] }

/** Returns the rendered template or its error code, and the time taken. */
async function attempt(template: string): Promise<{ text?: unknown; code?: string; message?: string; ms: number }> {
  const none = {}
  const variables = { payload, subscriber: none, context: none, env: none, steps: none, workflow: none }
  const started = processorMs()
  const resolving = async (): Promise<JsonObject> =>
    resolveControls({
      given: { t: template },
      schema: compileSchema(undefined),
      variables,
      budget: createTemplateBudget(),
    })
  try {
    return { text: (await resolving())['t'], ms: processorMs() - started }
  } catch (error) {
    if (!isCodedError(error)) throw error
    return { code: error.code, message: error.message, ms: processorMs() - started }
  }
}

describe('files cannot be read', () => {
  test.each([
    "{% include 'package.json' %}",
    '{% include payload.file %}',
    "{% render './package.json' %}",
    "{% render 'package.json' for payload.few as x %}",
    "{% layout 'package.json' %}{% block a %}x{% endblock %}",
    "{% liquid\n include 'package.json'\n %}",
    "{% if true %}{% for i in (1..1) %}{% render 'package.json' %}{% endfor %}{% endif %}",
  ])('%s', async (template) => {
    expect((await attempt(template)).code).toBe('StepControlCompilationFailedError')
  })

  test("by the engine's own functions", async () => {
    const { liquid } = await templateEngine()
    for (const tag of ['include', 'render', 'layout', 'block']) expect(Object.keys(liquid.tags)).not.toContain(tag)
    await expect(liquid.parseFile('package.json')).rejects.toThrow()
    expect(() => liquid.parseFileSync('./package.json')).toThrow()
  })
})

describe('globals cannot be accessed', () => {
  const names = [
    'globalThis',
    'global',
    'window',
    'self',
    'process',
    'console',
    'require',
    'module',
    'Function',
    'Object',
  ]
  test.each([...names, 'this', 'eval', 'import', 'Buffer', '__dirname'])('%s', async (name) => {
    for (const template of [
      `[{{ ${name} }}]`,
      `[{{ ${name}.env }}]`,
      `[{{ ${name}["constructor"] }}]`,
      `[{{ [payload.x]["${name}"] }}]`,
    ])
      expect((await attempt(template)).text ?? '[]').toBe('[]')
  })
})

describe('prototypes cannot be accessed', () => {
  const paths = [
    'constructor',
    '__proto__',
    'toString',
    'hasOwnProperty',
    'valueOf',
    '__defineGetter__',
    'constructor.name',
  ]
  const reads = [
    'payload',
    'payload.one',
    'payload.few',
    'payload.id',
    'payload.n',
    '"text"',
    '(1..2)',
    'forloop',
    'nil',
    'empty',
    'blank',
    'true',
    'item',
  ]
  test.each(reads)('of %s', async (value) => {
    // Only a name can be read without being assigned first.
    const direct = /^[a-z]/.test(value) ? value : 'v'
    for (const path of paths) {
      const { text, code } = await attempt(
        `{% for item in payload.few %}{% assign v = ${value} %}[{{ v.${path} }}{{ v["${path}"] }}{{ ${direct}.${path} }}]{% endfor %}`,
      )
      expect(code ?? text).toBe('[][]')
    }
  })

  test('except the documented fields of a loop', async () => {
    const template = '{% for x in payload.few %}{{ forloop.index }}{{ forloop.first }}{{ forloop.length }} {% endfor %}'
    expect((await attempt(template)).text).toBe('1true2 2false2 ')
  })

  test.each([
    ...[
      'map',
      'where',
      'reject',
      'find',
      'group_by',
      'sort',
      'sort_natural',
      'sum',
      'uniq',
      'compact',
      'has',
      'find_index',
    ],
    ...['digest', 'toSentence'],
  ])('by the filter %s', async (filter) => {
    for (const path of paths) {
      const args = filter === 'digest' ? `5, "${path}"` : `"${path}"`
      for (const list of ['payload.few', 'payload.one', '"text"']) {
        const { text } = await attempt(`{{ ${list} | ${filter}: ${args} | json }}`)
        expect(String(text)).not.toMatch(/native code|Object|Array|Function/)
      }
    }
  })
})

describe('filters cannot run long or grow without limit', async () => {
  const { liquid } = await templateEngine()
  const args = [
    '',
    ': payload.words',
    ': ""',
    ': "a", payload.words',
    ': 1000000000',
    ': "", payload.words',
    ': "a", "b"',
  ]
  const inputs = Object.keys(nasty).flatMap((name) => args.map((arg) => ({ name, arg })))
  test.each(Object.keys(liquid.filters))('%s', async (filter) => {
    for (const { name, arg } of someOf(inputs, 16)) {
      const { ms, text } = await attempt(`{{ payload.${name} | ${filter}${arg} }}`)
      expect([name, arg, ms < 1500]).toEqual([name, arg, true])
      expect(String(text ?? '').length).toBeLessThanOrEqual(2 ** 20)
    }
  })

  test.each([
    ...[
      'append: s',
      'prepend: s',
      'replace: "", s',
      'replace: "a", s',
      'replace_first: "a", s',
      'replace_last: "a", s',
    ],
    ...[
      'split: "" | join: "xxxx"',
      'url_encode',
      'escape',
      'newline_to_br',
      'base64_encode',
      'json',
      'array_to_sentence_string',
    ],
    ...[
      'split: "" | concat: payload.list | json',
      'split: "" | push: s | json',
      'split: "" | unshift: s | json',
      'slice: 0, 1e9',
    ],
    ...['split: "" | concat: payload.list | concat: payload.list | toSentence: "", 1000000 | append: s'],
  ])('repeatedly: %s', { timeout: 20_000 }, async (filter) => {
    const loop = `{% assign s = payload.words %}{% for i in (1..60) %}{% assign s = s | ${filter} %}{% endfor %}{{ s | size }}`
    const { ms, text, code } = await attempt(loop)
    expect(ms).toBeLessThan(2500)
    // Either rendering was stopped, or the text stayed small enough.
    if (code === undefined && text !== '') expect(Number(text)).toBeLessThan(20_000_000)
  })

  const chains = ['ampersands', 'words', 'list'].flatMap((name) => [20, 2000].map((count) => ({ name, count })))
  // Some filters are implemented outside the engine.
  test.each(Object.keys(liquid.filters))('a chain of %s', async (filter) => {
    for (const { name, count } of someOf(chains, 2)) {
      const { ms, text } = await attempt(`{{ payload.${name}${` | ${filter}`.repeat(count)} }}`)
      expect([name, count, ms < 1500]).toEqual([name, count, true])
      expect(String(text ?? '').length).toBeLessThanOrEqual(2 ** 20)
    }
  })

  test.each(['join: s', 'digest: 100000, "a", s', 'toSentence: "a", 100000, "x", s', 'toSentence: "a", 0, "x", s'])(
    'counts separators, too: %s',
    async (filter) => {
      const { code, message } = await attempt(`{% assign s = payload.words %}{% assign t = payload.list | ${filter} %}`)
      expect(code).toBe('StepControlCompilationFailedError')
      expect(message).toContain('memory')
    },
  )
})

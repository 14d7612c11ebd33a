import { type AnyNode, type Function as FunctionNode, parse } from 'acorn'
import { transformSync } from 'esbuild'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stepKinds } from '../../workflow/steps/step-kinds.ts'
import { readSteps } from './written-steps.ts'

const numRuns = Math.min(Number(process.env['FC_RUNS'] ?? 1500), 20_000)

describe('finds all steps in', () => {
  test.each([
    ["async ({ step }) => { await step.email('a', () => ({})) }", ['a']],
    ['async({step:e,payload:t})=>{t.a&&await e.sms("b",()=>({body:t.b})),await e.push(`c`,x)}', ['b', 'c']],
    ["async (context) => { if (context.payload.a) await context.step.sms('a', f) }", ['a']],
    ["async c=>{await c.step.sms('a',f)}", ['a']],
    ["async function run({ step, payload }) { const { step: other } = payload; await step.custom('a', f) }", ['a']],
    ["async run({ payload, step = none }) { await step.inApp('a', () => ({ step: payload.step })) }", ['a']],
    ["async (context) => { const { step, payload } = context\n await step.sms('a', f) }", ['a']],
    ["({ step, ...rest }) => Promise.all([step.sms('a', f), rest.payload.b && step.sms('b', f)])", ['a', 'b']],
    ["({ step }) => { const branch = async () => { await step.sms('a', f) }; return branch() }", ['a']],
    ["({ step }) => step.sms('a', () => ({ body: 'the next step: step.sms(x)' })) // step(x)", ['a']],
    ["({ step, payload }) => payload.a / 2 > 1 / payload.b && step?.sms('a', f)", ['a']],
    ["({ step, payload }) => { if (/['\"`]/.test(payload.a)) return step.sms('a', f) }", ['a']],
    ["({ step, payload }) => { if (payload.a) /'/.test(payload.b) && step.sms('a', f) }", ['a']],
    ['({ step, payload }) => `${payload.a ? `${payload.b}` : "x"}` && step.sms("it\'s", f)', ["it's"]],
    ['() => undefined', []],
  ])('%s', (source, ids) => {
    const { steps, isComplete } = readSteps(source)
    expect([isComplete, steps.map(({ id }) => id)]).toEqual([true, ids])
  })
})

describe('reports possibly missing steps in', () => {
  test.each([
    ['an id that is computed', '({ step }) => step.sms(id, f)'],
    ['an id with an expression', '({ step }) => step.sms(`a-${b}`, f)'],
    ['an id that is put together', "({ step }) => step.sms('a' + b, f)"],
    ['steps that are handed on', "({ step }) => { step.sms('a', f); notify(step) }"],
    ['the argument that is handed on', "(context) => { context.step.sms('a', f); notify(context) }"],
    ['an alias', "({ step }) => { const s = step; s.sms('a', f) }"],
    ['a method that is taken out', "({ step }) => { const { sms } = step; sms('a', f) }"],
    ['a method that is taken out of the parameter', "({ step: { sms } }) => { sms('a', f) }"],
    ['a method that is not called', '({ step }) => items.map(step.sms)'],
    ['a method under a computed name', "({ step }) => step['sms']('a', f)"],
    ['a field under a computed name', "(context) => context['step'].sms('a', f)"],
    ['a parameter under a computed name', "({ ['step']: s }) => s.sms(id, f)"],
    ['what is left over', '({ payload, ...rest }) => rest.step.sms(id, f)'],
    ['what is left over later', '(context) => { const { payload, ...rest } = context; rest.step.sms(id, f) }'],
    ['a default that uses the steps', '({ step, go = () => step.sms(id, f) }) => go()'],
    ['all arguments', 'function () { arguments[0].step.sms(id, f) }'],
    ['a list of parameters', '(...all) => all[0].step.sms(id, f)'],
    ['a list as parameter', '([a]) => a.step.sms(id, f)'],
    ['an unknown kind', "({ step }) => step.fax('a', f)"],
    ['a method that is bound', "({ step }) => step.sms.call(step, 'a', f)"],
    ['a tag', '({ step }) => step.sms`a`'],
    ['code from text', "({ step }) => eval('st' + 'ep.sms(id)')"],
    ['a name with an escape', '({ step }) => st\\u0065p.sms(id, f)'],
    ['a text that is not that of a function', 'function () { [native code] }'],
    ['no text', ''],
    ['a division after a block, which hides a call', "({ step }) => { {} / step.sms(id, f) / 'x' }"],
    ['a text of more than may be read', `({ step }) => { ${' '.repeat(200_000)}step.sms(id, f) }`],
  ])('%s', (_name, source) => {
    expect(readSteps(source).isComplete).toBe(false)
  })
})

/** Finds steps with a real parser, by the same rule: each use of the steps is a call with a literal id. */
function parseSteps(source: string): { readonly ids: readonly string[]; readonly isComplete: boolean } | undefined {
  let root: AnyNode
  try {
    root = parse(`(${source})`, { ecmaVersion: 'latest', sourceType: 'module' }) as AnyNode
  } catch {
    return undefined
  }
  const writtenSteps: { ids: string[]; isComplete: boolean } = { ids: [], isComplete: true }
  const [statement] = (root as { body?: readonly { expression?: FunctionNode }[] }).body ?? []
  const own = statement?.expression
  if (own?.type !== 'ArrowFunctionExpression' && own?.type !== 'FunctionExpression') return undefined
  const [first] = own.params
  const isContext = first?.type === 'Identifier'
  const fields = first?.type === 'ObjectPattern' ? first.properties : []
  const field = fields.find(
    (one) => one.type === 'Property' && one.key.type === 'Identifier' && one.key.name === 'step',
  )
  const target = field?.type === 'Property' ? field.value : undefined
  const name = isContext ? first.name : target?.type === 'Identifier' ? target.name : undefined
  if (name === undefined) return undefined
  const isSteps = (node: AnyNode): boolean =>
    isContext
      ? node.type === 'MemberExpression' && isName(node.object, name) && !node.computed && isName(node.property, 'step')
      : isName(node, name)
  const visit = (node: AnyNode): void => {
    if (node === target) return
    if (node.type === 'CallExpression' && node.callee.type === 'MemberExpression' && isSteps(node.callee.object)) {
      const { property, computed } = node.callee
      const [id] = node.arguments
      const text = id?.type === 'Literal' ? id.value : id?.type === 'TemplateLiteral' && toText(id)
      const isKind = !computed && property.type === 'Identifier' && Object.hasOwn(stepKinds, property.name)
      if (isKind && typeof text === 'string') {
        writtenSteps.ids.push(text)
        for (const one of node.arguments) visit(one)
        return
      }
    }
    if (isContext && node.type === 'MemberExpression' && isName(node.object, name) && !node.computed)
      if (!isName(node.property, 'step')) return
    if (isName(node, name) && node !== (isContext ? first : undefined)) writtenSteps.isComplete = false
    if (isName(node, 'arguments') || isName(node, 'eval')) writtenSteps.isComplete = false
    for (const [key, value] of Object.entries(node)) {
      if (key === 'label') continue
      const isNoUse = !('computed' in node && node.computed)
      if (
        isNoUse &&
        ((node.type === 'MemberExpression' && key === 'property') || (node.type === 'Property' && key === 'key'))
      )
        continue
      for (const one of [value].flat()) if (one && typeof one === 'object' && 'type' in one) visit(one as AnyNode)
    }
  }
  visit(own as AnyNode)
  return writtenSteps
}

function isName(node: AnyNode, name: string): boolean {
  return node.type === 'Identifier' && node.name === name
}

function toText(node: Extract<AnyNode, { type: 'TemplateLiteral' }>): unknown {
  return node.expressions.length === 0 ? node.quasis[0]?.value.cooked : undefined
}

const pieces = [
  ...[
    "await step.sms('a', f)",
    'step.push(`b`, () => ({}))',
    'step?.email("c", f)',
    'step.sms(id, f)',
    'step',
    'step.step',
  ],
  ...[
    "context.step.sms('d', f)",
    'context.step',
    'context.payload.x',
    'context',
    '({ step: 1 })',
    '({ step })',
    'x.step',
  ],
  ...[
    "'",
    '"',
    '`',
    '${',
    '}',
    '{',
    '(',
    ')',
    '[',
    ']',
    '/',
    '/g',
    '\\',
    '//',
    '/*',
    '*/',
    '\n',
    ';',
    ',',
    '.',
    '?',
    ':',
  ],
  ...[
    'x',
    '1',
    ' ',
    '+',
    '++',
    '--',
    '&&',
    '=>',
    '=',
    '<',
    '>',
    'if',
    'else ',
    'return ',
    'typeof ',
    'case ',
    'of',
    'let ',
  ],
  ...[
    "'it\\'s'",
    '"step.sms(q, f)"',
    '/[/\'"]/',
    '/step/.test(x)',
    'x / 2',
    ') / 2',
    '} / 2',
    ']/2',
    '`${x}`',
    '`step`',
    '`${step}`',
  ],
  ...[
    "if (x) /'/.test(x)",
    'while (x) /"/g',
    'x++ / 1',
    '({}) / 2',
    '(() => {})',
    'function g() {}',
    'x ? y : z',
    'x.if(1) / 2',
  ],
]
const heads = [
  'async ({ step }) => ',
  'async ({ step, payload }) => ',
  'async (context) => ',
  'async function run({ step }) ',
]
const soup = fc
  .record({ head: fc.constantFrom(...heads), body: fc.array(fc.constantFrom(...pieces), { maxLength: 9 }) })
  .map(({ head, body }) => `${head}{ ${body.join('')} }`)
const statements = pieces.filter((piece) => {
  const isWhole = parseSteps(`async ({ step }) => { ${piece}\n }`)
  return isWhole !== undefined && piece.trim() !== ''
})
const program = fc
  .record({
    head: fc.constantFrom(...heads),
    body: fc.array(fc.constantFrom(...statements), { minLength: 1, maxLength: 8 }),
    end: fc.constantFrom(';\n', '\n', ';'),
  })
  .map(({ head, body, end }) => `${head}{ ${body.join(end)}${end} }`)

function check(source: string): boolean {
  const parsed = parseSteps(source)
  if (!parsed) return false
  const read = readSteps(source)
  // A list that is wrongly marked as complete loses messages.
  if (read.isComplete)
    expect([parsed.isComplete, [...new Set(parsed.ids)]]).toEqual([true, read.steps.map(({ id }) => id)])
  return true
}

test('never claims that the list of steps is complete if a parser disagrees, for any text', () => {
  let parsed = 0
  fc.assert(
    fc.property(soup, (source) => {
      if (check(source)) parsed++
    }),
    { numRuns: numRuns * 4 },
  )
  expect(parsed).toBeGreaterThan(numRuns / 20)
})

/** Minifies code; returns it unchanged if the minifier cannot parse it. */
function minify(code: string): string {
  try {
    return transformSync(code, { minify: true, target: 'es2022', logLevel: 'silent' }).code
  } catch {
    return code
  }
}

test('finds the same steps as a parser, even in minified code', () => {
  let [complete, parsed] = [0, 0]
  const property = fc.property(program, fc.boolean(), (written, isMinified) => {
    if (!parseSteps(written)) return
    const code = `export default ${written}`
    const source = (isMinified ? minify(code) : code).replace(/^export default /, '').replace(/;\s*$/, '')
    if (!check(source)) return
    parsed++
    if (readSteps(source).isComplete) complete++
  })
  fc.assert(property, { numRuns })
  expect(parsed).toBeGreaterThan(numRuns / 2)
  expect(complete).toBeGreaterThan(numRuns / 50)
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ask } from '../call-bridge.fixture.ts'
import { type WorkflowDefinition, workflow } from '../workflow/workflow.ts'
import { mayBeStraight, showsAll } from './straight/straight-text.ts'

/** Makes a workflow of the text of its function's body. */
function toWorkflow(body: string, options: object = {}, state = { runs: 0, begun: 0 }): WorkflowDefinition {
  const text = `return async (input) => { state.begun++; const { step, payload, subscriber, env } = input; ${body} }`
  return workflow('text', new Function('state', text)(state) as never, options)
}

async function discover(body: string, options?: object, state = { runs: 0, begun: 0 }): Promise<unknown> {
  const { status, body: told } = await ask(toWorkflow(body, options, state), { action: 'discover' })
  return status === 200
    ? told.workflows.map(({ steps, warnings }: Record<string, unknown>) => [steps, warnings])
    : [status, told.code]
}

// The word in the comment keeps the function from being taken for one that asks for no data.
const explore = (body: string, options?: object): Promise<unknown> => discover(`/* catch */ ${body}`, options)

const handler = '() => ({ body: payload.text, subject: "x", amount: 1, unit: "days" })'
const schema = '{ controlSchema: { type: "object", properties: { a: { type: "string" } } } }'
const kind = fc.constantFrom('email', 'sms', 'push', 'chat', 'inApp', 'digest', 'delay', 'throttle', 'custom')
const id = fc.constantFrom('a', 'b', 'c', 'd', 'e')
const call = fc
  .tuple(kind, id, fc.constantFrom('', `, ${schema}`))
  .map(([method, name, options]) => `step.${method}('${name}', ${handler}${options})`)
const line = fc.oneof(
  { weight: 8, arbitrary: call.map((text) => `await ${text}`) },
  { weight: 1, arbitrary: call },
  fc.tuple(call, id).map(([text, name]) => `const result_${name} = await ${text}`),
  fc.tuple(call, id).map(([text, name]) => `if ((await ${text}).seen) await step.sms('${name}', ${handler})`),
  fc.constantFrom('if (payload.vip) await step.sms("vip", () => ({ body: "x" }))', 'const { text } = payload'),
  fc.constantFrom(
    'void { ...subscriber }',
    'JSON.stringify(payload)',
    'if (state.runs++ % 2) return',
    'if (payload) state',
  ),
  fc.constantFrom(
    'for (let at = 0; at < 3; at++) await step.sms(`n${at}`, () => ({ body: "x" }))',
    'throw new Error("x")',
  ),
  fc.tuple(call, call).map(([left, right]) => `await Promise.all([${left}, ${right}])`),
  fc.constantFrom(
    'await null',
    'await new Promise((go) => setImmediate(go))',
    'if (false) await step.chat("never", f)',
  ),
)
const body = fc.uniqueArray(line, { minLength: 1, maxLength: 4 }).map((lines) => lines.join('; '))

test('functions that ask for no data have the steps and warnings that runs on sample data find', async () => {
  let straight = 0
  const property = fc.asyncProperty(body, async (text) => {
    const state = { runs: 0, begun: 0 }
    expect(await discover(text, {}, state)).toEqual(await explore(text))
    if (state.begun === 2) straight++
  })
  await fc.assert(property, { numRuns: 400 })
  expect(straight).toBeGreaterThan(50)
})

/** One step, or two where the question is answered yes; their ids are in no text, so that the question alone can tell. */
const asking = (question: string): string =>
  `const count = ${question} ? 2 : 1; for (let at = 0; at < count; at++) await step.sms(\`n${'${at}'}\`, () => ({ body: "x" }))`

test.each([
  'payload.vip',
  '"vip" in payload',
  'Object.hasOwn(payload, "vip")',
  'Object.keys(env).length > 0',
  'payload.list?.length',
  'input.actor',
  '(await step.digest("all", () => ({ amount: 1, unit: "days" }))).events.length > 2',
  '(await step.inApp("seen", () => ({ body: "x" }))).seen',
])('a number of steps that %s decides is found', async (question) => {
  const found = await discover(asking(question))
  expect(found).toEqual(await explore(asking(question)))
  expect(JSON.stringify(found)).toContain('"n1"')
})

test('what is asked where nobody waits for it counts', async () => {
  const body = `const more = async () => { ${asking('payload.vip')} }; void more(); await step.chat("a", () => ({ body: "x" }))`
  expect(JSON.stringify(await discover(body))).toContain('"n1"')
})

test.each([
  ['payloadSchema', 'payload'],
  ['envSchema', 'env'],
])('a %s of no object', async (option, name) => {
  const body = asking(`typeof ${name} === "number"`)
  const options = { [option]: { type: ['number', 'object'] } }
  expect(await discover(body, options)).toEqual(await explore(body, options))
})

test.each([
  ['calls nothing', 'const none = []; for (const at of none) await step.sms(`n${at}`, () => ({ body: "x" }))'],
  ['waits for ever', 'const f = async () => 1; await step.sms("a", () => ({ body: "x" })); await new Promise(() => f)'],
])('a function that %s is told of as ever', async (_, body) => {
  const found = await discover(body)
  expect(found).toEqual(await explore(body))
  expect(JSON.stringify(found)).toContain('Workflow')
})

test.each([
  ['how many', 'for (let at = 0; at < Math.min(state.runs, 2); at++) await step.sms(`n${at}`, () => ({ body: "x" }))'],
  ['which', 'await step.sms(`n${Math.min(state.runs, 2)}`, () => ({ body: "x" }))'],
  [
    'kinds',
    'const f = async () => 1; const say = state.runs === 1 ? step.sms : step.chat; await say(`n${0}`, () => ({ body: "x" }))',
  ],
  [
    'schemas',
    'await step.sms("a", () => ({ body: "x" }), { controlSchema: { type: "object", required: state.runs === 1 ? [] : ["a"] } })',
  ],
])('functions whose second run differs in %s of their steps are explored', async (_, body) => {
  const state = { runs: 0, begun: 0 }
  await discover(`state.runs++; ${body}`, {}, state)
  expect(state.begun).toBeGreaterThan(2)
})

test('such a function is run twice', async () => {
  let runs = 0
  const flow = workflow('two', async ({ step, payload }) => {
    runs++
    await step.delay('wait', () => ({ amount: 1, unit: 'days' }))
    await step.sms('text', () => ({ body: `${payload}` }))
  })
  await ask(flow, { action: 'discover' })
  expect(runs).toBe(2)
})

describe('texts', () => {
  test.each<[string, boolean]>([
    ['async ({ step }) => { await step.sms("a", h) }', true],
    ['async({step:e,payload:t})=>{await e.sms("a",()=>({body:t.x}))}', true],
    ['async ({ step }) => { await step.email("a", async () => ({ body: await render() })) }', true],
    ['async ({ step }) => { await load(); await step.email("a", async () => ({ body: await render() })) }', false],
    ['async ({ step }) => { await Promise.all([step.sms("a", h)]) }', false],
    ['async ({ step }) => { try { f() } catch {} await step.sms("a", h) }', false],
    ['async ({ step }) => { await step.custom("a", h) }', false],
    ['function () { [native code] }', false],
  ])('%s may be straight: %s', (source, expected) => expect(mayBeStraight(source)).toBe(expected))

  test.each<[string, boolean]>([
    ['async ({ step }) => { await step.sms("a", () => t("b")) }', true],
    ['async ({ step }) => { await step.sms("a", h); if (flag) await step.sms("b", h) }', false],
    ['async ({ step: { sms: say } }) => { await say("a", h); if (flag) await say("b", h) }', false],
    ['async ({ step }) => { const go = (id) => step.sms(id, h); await go("a"); if (flag) await go("b") }', false],
    ['async ({ step }) => { await step["sms"]("a", h); if (flag) await step["sms"]("b", h) }', false],
    ['(input) => run(input)', false],
    ['async ({ step }) => { for (const at of list) await step.sms(`n${at}`, h) }', true],
  ])('%s shows all: %s', (source, expected) => expect(showsAll(source, new Set(['a']))).toBe(expected))
})

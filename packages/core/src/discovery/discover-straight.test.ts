import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ask } from '../call-bridge.fixture.ts'
import { type WorkflowDefinition, workflow } from '../workflow/workflow.ts'
import { mayBeStraight, showsAll } from './straight/straight-text.ts'

/** Makes a workflow of the text of its function's body. */
function toWorkflow(body: string): WorkflowDefinition {
  const run = new Function('state', `return async ({ step, payload, subscriber }) => { ${body} }`)({ runs: 0 })
  return workflow('text', run as never)
}

async function discover(body: string): Promise<unknown> {
  const { status, body: told } = await ask(toWorkflow(body), { action: 'discover' })
  return status === 200
    ? told.workflows.map(({ steps, warnings }: Record<string, unknown>) => [steps, warnings])
    : [status, told.code]
}

// The word in the comment keeps the function from being taken for one that asks for no data.
const explore = (body: string): Promise<unknown> => discover(`/* catch */ ${body}`)

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
  const property = fc.asyncProperty(body, async (text) => {
    expect(await discover(text)).toEqual(await explore(text))
  })
  await fc.assert(property, { numRuns: 400 })
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

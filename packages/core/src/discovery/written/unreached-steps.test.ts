import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ask } from '../../call-bridge.fixture.ts'
import { workflow } from '../../workflow/workflow.ts'
import { toDictionary } from '../dictionary/dictionary.ts'
import type { Data } from '../samples/everyday.fixture.ts'
import { tellsAllSteps } from './unreached-steps.ts'

describe('a parameter is used for nothing but calls of steps with written ids', () => {
  test.each([
    `async ({ step, payload }) => { await step.email('a', () => ({ body: payload.step })) }`,
    `async ({ payload: { vip }, step }) => { if (vip) await step?.sms("a", h); else await step.sms("b", h) }`,
    'async({step:e,payload:t})=>{await e.sms("a",()=>({body:t.x}))}',
    'async function run({ step }) { await step.digest(`a`, h) }',
    `async run({ step, ...rest }) { await step.delay('a', h, { skip: () => rest.payload.step }) }`,
    `function ({ step, find = () => 1 }) { return step.chat('a', h) }`,
  ])('%s', (source) => {
    const { closedObjects } = toDictionary(source)
    expect([...closedObjects].filter((name) => name === 'step' || name === 'e')).toHaveLength(
      source.includes(':e') ? 2 : 1,
    )
  })
})

describe('a parameter may be used for steps of other ids', () => {
  test.each([
    `async ({ step }) => { await step.sms('a', h); await remind(step) }`,
    `async ({ step }) => { await step.sms('a', h); await remind({ ...step }) }`,
    `async ({ step }) => { await step.sms('a', h); await remind({ step }) }`,
    `async ({ step }) => { await step.sms('a', h); const { email } = step; await email('b', h) }`,
    `async ({ step }) => { await step.sms('a', h); const other = step; await other.email('b', h) }`,
    `async ({ step, payload }) => { await step.sms('a', h); await step[payload.kind]('b', h) }`,
    `async ({ step, payload }) => { await step.sms('a', h); await step.email(payload.id, h) }`,
    "async ({ step, payload }) => { await step.sms('a', h); await step.email(`b-${payload.id}`, h) }",
    `async ({ step, payload }) => { await step.sms('a', h); await step.email('b-' + payload.id, h) }`,
    `async ({ step, payload }) => { await step.sms('a', h); await step.email(payload.vip ? 'b' : 'c', h) }`,
    `async ({ step }) => { await step.sms('a', h); await all(step.email.bind(step)) }`,
    `async function ({ step }) { await step.sms('a', h); await remind(arguments[0]) }`,
    `async (context) => { await context.step.sms('a', h); await remind(context) }`,
  ])('%s', (source) => {
    expect(toDictionary(source).closedObjects).not.toContain('step')
  })
})

test('of a text that is too long, or of which no step was found, nothing is known', () => {
  const known = (source: string) => ({ run: Object.assign(() => undefined, { toString: () => source }) }) as never
  const short = `async ({ step }) => { await step.sms('a', h) }`
  const runs = [{ calls: [{ id: 'a' }] }] as never
  expect(tellsAllSteps(known(short), runs)).toBe(true)
  expect(tellsAllSteps(known(short), [])).toBe(false)
  expect(tellsAllSteps(known(`${short}${' '.repeat(50_000)}`), runs)).toBe(false)
})

const flags = Array.from({ length: 12 }, (_, index) => `f${index}`)
const payloadSchema = z.object(Object.fromEntries(flags.map((flag) => [flag, z.string()])))

/** More data than discovery can try in its runs: each text may be any of twelve. */
function toBusy(body: string) {
  const tries = flags.map((flag) => `[${flags.map((other) => `'${other}x'`)}].indexOf(payload.${flag}) > 10`)
  // biome-ignore lint/security/noGlobalEval: the text has to stand in the function's own source text
  return eval(`async ({ step, payload }) => { const hits = [${tries}].filter(Boolean).length
    ${body}
    if (hits > 0) await step.email('last', () => ({ subject: 's', body: 'b' })) }`)
}

async function warningsOf(run: (data: Data) => Promise<void>): Promise<readonly string[]> {
  const { body } = await ask(workflow('w', run, { payloadSchema }), { action: 'discover' })
  return (body.workflows[0].warnings ?? []).map(({ message }: Data) => message)
}

test('nothing is said of data that could not be tried, where all steps of the text were found and it tells all', async () => {
  expect(await warningsOf(toBusy(`await step.sms('first', () => ({ body: 'b' }))`))).toEqual([])
})

test('it is said where a step may have another id', async () => {
  const run = toBusy(`const send = (id) => step.sms(id, () => ({ body: 'b' })); await send('first')`)
  expect(await warningsOf(run)).toEqual([expect.stringContaining('it depends on more data than')])
})

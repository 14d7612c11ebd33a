import { expect, test } from 'vitest'
import { showsAwaitedSteps } from './awaits-each-step.ts'

test.each([
  'async ({ step, payload }) => { for (const i of payload.items) await step.sms(`a-${i}`, () => ({ body: "" })) }',
  'async ({ step }) => { const { a } = await step.custom("a", async () => ({ a: await load() })); if (a) await step.sms("b", f) }',
  'async (c) => { if ((await c.step.custom("a", f)).ok) await c.step.sms("b", async () => f()); log(c.payload) }',
  'async ({ step: s }) => { await fetch(url); await s.sms("b", f) }',
  'async run({ step }) { try { await step.sms("a", f) } catch {} finally { await step.sms("b", f) } }',
])('recognizes that each step is awaited: %s', (source) => {
  expect(showsAwaitedSteps(source)).toBe(true)
})

test.each([
  'async ({ step }) => { await Promise.all([step.sms("a", f), step.sms("b", f)]) }',
  'async ({ step }) => { const a = step.sms("a", f); await step.sms("b", f); await a }',
  'async ({ step }) => { await Promise.race([other(), (async () => { await step.sms("a", f) })()]) }',
  'async ({ step, payload }) => { payload.items.forEach(async (i) => { await step.sms(i, f) }) }',
  'async ({ step }) => { const later = { async run() { await step.sms("a", f) } }; later.run() }',
  'async ({ step }) => { await helper(step) }',
  'async (c) => { await helper(c) }',
  'async ({ step }) => { await step.sms("a", async () => { await step.sms("b", f) }) }',
  'async ({ step }) => { const { sms } = step; await sms("a", f) }',
  'async ({ step }) => { await step["sms"]("a", f) }',
  'async ({ step }) => { await step.sms(await step.custom("id", f), f) }',
  'async ({ ...rest }) => { await rest.step.sms("a", f); eval("rest.step") }',
  'async function () { await arguments[0].step.sms("a", f) }',
  'async ({ step }) => step.sms("a", f)',
  'async ({ step }) => { let is = false; load().then(() => { is = true }); await step.sms("a", f); if (is) await step.sms("b", f) }',
  'async ({ step }) => { const all = Promise.all([load()]); await step.sms("a", f); await all }',
  'function () { [native code] }',
  '',
])('rejects possible parallel work: %s', (source) => {
  expect(showsAwaitedSteps(source)).toBe(false)
})

import { describe, expect, test } from 'vitest'
import { showsOnlySteps } from './only-steps.ts'

describe('a function awaits only steps', () => {
  test.each([
    "async ({ step }) => { await step.email('a', () => ({})) }",
    'async ({ step, payload }) => { for (const item of payload.items) await step.sms(`s-${item.id}`, () => send(item)) }',
    "async (context) => { await context.step.email('a', async () => render(await fetch('x')), { skip: () => check() }) }",
    "async ({ step }) => { await Promise.all([step.sms('a', f), (async () => { await step.sms('b', f) })()]) }",
    "async ({ step }) => { const h = async () => { await step.sms('a', f) }; await h() }",
    "async ({ step }) => { async function h(id) { await step.sms(id, f) } await h('a') }",
    "async ({ step, payload }) => { if (payload.name.startsWith('x') && LIMIT > 3) await step.sms('a', f) }",
    'async ({ step, payload }) => { payload.items.forEach(async (item) => { await step.sms(item.id, f) }) }',
    "async ({ step }) => { const w = await Promise.race([step.delay('d', f).then(() => 1), step.sms('a', f)]); if (w) return }",
    "async ({ step }) => { const p = step.sms('a', f); await step.sms('b', f); await p }",
    "async({step:e,payload:t})=>{await e.sms('a',f);for(const n of t.items)await e.sms(`b${n}`,f)}",
    "async ({ step }) => { const [a, b] = [step.sms('a', f), step.sms('b', f)]; await Promise.all([a, b]) }",
  ])('%s', (source) => {
    expect(showsOnlySteps(source)).toBe(true)
  })
})

describe('a function may await something else', () => {
  test.each([
    '',
    "async ({ step }) => { await fetchUser(); await step.sms('a', f) }",
    "async ({ step }) => { fetchUser().then(() => step.sms('a', f)) }",
    'async ({ step }) => { await helper(step) }',
    "async ({ step }) => { const { sms } = step; await sms('a', f) }",
    "async ({ step }) => { setTimeout(() => step.sms('a', f), 10) }",
    "async ({ step }) => { await ready; await step.sms('a', f) }",
    "async ({ step }) => { ready.then(() => step.sms('a', f)) }",
    "async ({ step }) => { await Promise.all([ready, step.sms('a', f)]) }",
    "async ({ step }) => { await Promise.race([step.sms('a', f), ready]) }",
    'async ({ step }) => { for await (const item of stream) await step.sms(item, f) }',
    "async ({ step }) => { await new Promise((resolve) => events.push(resolve)); await step.sms('a', f) }",
    "async ({ step }) => { const api = await import('./api.js'); await step.sms('a', f) }",
    "async ({ step }) => { await sql`select 1`; await step.sms('a', f) }",
    'async ({ step }) => { await step.sms(await nextId(), f) }',
    "async ({ step }) => { await db.user.find({}); await step.sms('a', f) }",
    "async ({ step }) => { await load?.(); await step.sms('a', f) }",
    "async ({ step }) => { await apis['users'](); await step.sms('a', f) }",
    "async ({ step }) => { await getApi()(); await step.sms('a', f) }",
    "async ({ step, payload }) => { await Promise.all(payload.items.map(load)); await step.sms('a', f) }",
    "async function ({ step }) { await this.load(); await step.sms('a', f) }",
    'function () { [native code] }',
  ])('%s', (source) => {
    expect(showsOnlySteps(source)).toBe(false)
  })
})

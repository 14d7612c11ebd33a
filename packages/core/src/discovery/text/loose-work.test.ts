import { expect, test } from 'vitest'
import { mayLeaveWork } from './loose-work.ts'

const harmless = [
  "async ({ step }) => { await step.email('a', () => ({ subject: 'x', body: 'y' })) }",
  'async({step:e,payload:t})=>{for(let n=0;n<9;n++)await e.delay(`s${n}`,()=>({amount:1,unit:`hours`}));t.a&&await e.sms(`b`,()=>({body:t.b}),{controlSchema:o})}',
  "async (context) => { if (context.payload.a) await context.step.sms('a', (controls) => ({ body: controls.b })) }",
  "async c=>{await c.step.sms('a',()=>({body:`${c.payload.items.map(i=>i.name.trim())} and ${c.payload.n.toFixed(2)}`}))}",
  "async function run({ step, payload }) { const a = await step.custom('a', () => ({ b: 1 }), { outputSchema: schema, }); if (a.b > Number(payload.c) || new Date(payload.d) < new Date()) { return step.push('b', () => ({ subject: 'x', body: 'y' }),) } }",
  "async run({ step, payload: { plan } }) { switch (plan) { case 'pro': await step.sms('a', () => ({ body: JSON.stringify(plan) })) } }",
  "async ({ step, payload }) => { try { await step.sms('a', () => ({ body: '(' + payload.b + ')' })) } catch (error) { return } }",
  "async ({ step }) => { const held = step.digest('a', () => ({ amount: 1, unit: 'days' })); await step.sms('b', () => ({ body: 'x' })); await held }",
]

const loose = [
  // Branches, chains, lists of branches.
  "async ({ step }) => { const b = (async () => { await step.sms('a', () => ({ body: 'x' })) })(); await b }",
  "async ({ step }) => { const b = step.sms('a', () => ({ body: 'x' })).then(() => fail.x); await b }",
  "async ({ step, payload }) => { const b = payload.items.map(async (item) => step.sms(item.id, () => ({ body: 'x' }))) }",
  'async ({ step, payload }) => { const b = payload.items.map(notify) }',
  "async c=>{let f=async()=>{await c.step.sms('a',()=>({body:'x'}))};f}",
  'async ({ step }) => { const b = Promise.all([]) }',
  'async ({ step }) => { const b = new Promise(() => {}) }',
  "async ({ step }) => { import('./x.js') }",
  // Other functions, however they are called.
  'async ({ step }) => { const b = notify(step) }',
  'async ({ step }) => { const b = notify?.(step) }',
  'async ({ step }) => { const b = lib.notify(step) }',
  'async ({ step }) => { const b = lib?.notify(step) }',
  'async ({ step }) => { const b = lib[0](step) }',
  'async ({ step }) => { const b = lib["notify"](step) }',
  'async ({ step }) => { const b = make()(step) }',
  'async ({ step }) => { const b = function () {}(step) }',
  'async ({ step }) => { const b = sql`select ${step}` }',
  'async ({ step }) => { const b = sql`select` }',
  'async ({ step }) => { const b = lib.sql`select ${1}` }',
  'async ({ step }) => { const b = new Job(step) }',
  'async ({ step }) => { const b = new Job }',
  'async ({ step }) => { let n = 4; const b = n++ / notify(2) / 3 }',
  'async ({ step, payload }) => { const b = payload.step.sms(1) }',
  'async ({ step: s }) => { const b = step.sms(1) }',
  'async (context) => { const b = lib.step.sms(1) }',
  'async ({ step }) => { const b = `${notify(step)}` }',
  "async ({ step }) => { await step.sms('a', () => ({ body: `${1} ${(notify)(2)}` })) }",
  'async ({ step, payload }) => { const b = cache.delete(payload.id) }',
  'async ({ step }) => { const b = queue.do(step) }',
  'async ({ step }) => { const b = lib?.of(step) }',
  'async ({ step }) => { const b = lib.catch(step) }',
  'async ({ step, payload }) => { const b = payload.of / notify(2) / 3 }',
  'async ({ step, payload }) => { const b = `${payload.a}` / notify(2) / 3 }',
  // Handlers that the text does not show.
  "async ({ step }) => { await step.sms('a', toBody) }",
  "async ({ step }) => { await step.sms('a', flag ? toBody : toOther) }",
  "async ({ step }) => { await step.sms('a', (toBody)) }",
  "async ({ step }) => { await step.sms('a', () => ({ body: 'x' }), options) }",
  "async ({ step }) => { await step.sms('a', () => ({ body: 'x' }), { ...options }) }",
  "async ({ step }) => { await step.sms('a', () => ({ body: 'x' }), { skip: isQuiet }) }",
  "async ({ step }) => { await step.sms('a', () => ({ body: 'x' }), { providers }) }",
  "async ({ step }) => { await step.sms('a', () => ({ body: 'x' }), { 'skip': isQuiet }) }",
  "async ({ step }) => { await step.sms('a', async () => ({ body: await load.x })) }",
  'async ({ step }) => { await step.sms(...call) }',
  // What has no text, and what a compiler made of it.
  'function () { [native code] }',
  '',
  `async ({ step }) => { ${' '.repeat(20_000)}const b = 1 }`,
  'function run(_a) { return __awaiter(this, void 0, void 0, function* () { yield 1 }) }',
]

test.each(harmless)('begins nothing but steps: %s', (source) => {
  expect(mayLeaveWork(source)).toBe(false)
})

test.each(loose)('may begin other work: %s', (source) => {
  expect(mayLeaveWork(source)).toBe(true)
})

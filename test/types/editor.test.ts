import { join } from 'node:path'
import ts from 'typescript'
import { beforeAll, describe, expect, test } from 'vitest'
import { mistakes } from './mistakes.fixture.ts'

const folder = import.meta.dirname
const mark = '// here'

const head = `import { workflow } from '@trestle/core'
import { z } from 'zod'
export const order = workflow('order', async () => undefined, { payloadSchema: z.object({ id: z.string() }) })
`
const inWorkflow = (code: string): string => `${head}
export const made = workflow('w', async ({ step, payload, subscriber, env }) => {
${code}
}, {
  payloadSchema: z.object({ id: z.string(), name: z.string() }),
  envSchema: z.object({ SHOP_URL: z.string() }),
})
`
const every = `
step.email('a', () => ({ subject: 's', body: 'b' }), {
  controlSchema: z.object({}), skip: () => false, providers: {}, disableOutputSanitization: true })
step.sms('b', () => ({ body: 'b' }))
step.push('c', () => ({ subject: 's', body: 'b' }))
step.chat('d', () => ({ body: 'b' }))
step.tool('e', () => ({ body: 'b' }))
step.inApp('f', () => ({ body: 'b' }))
step.digest('g', () => ({ cron: '0 9 * * *' }), { controlSchema: z.object({}), skip: () => false })
step.delay('h', () => ({ cron: '0 9 * * *' }))
step.throttle('i', () => ({ type: 'dynamic', dynamicKey: 'limit' }))
step.custom('j', () => ({}), { outputSchema: z.object({}) })
step.httpRequest('k', () => ({}))
step.sms('l', () => ({ body: 'b' }), {
  onFailure: 'return', retries: 2, backoff: { amount: 1, unit: 'minutes', factor: 3 } })
step.waitForEvent('m', () => ({ event: 'e', timeout: { amount: 1, unit: 'hours' } }), {
  schema: z.object({}), controlSchema: z.object({}), skip: () => false, onFailure: 'return', retries: 1 })
step.trigger('n', () => ({ workflow: order, to: 'ada', payload: { id: 'i' } }), {
  await: true, controlSchema: z.object({}), skip: () => false, onFailure: 'return', retries: 1 })
`
const options =
  /(?<=step\.)\w+|(?:\w+Schema|skip|providers|disableOutputSanitization|onFailure|retries|backoff|amount|unit|factor|schema|await)(?=: )/g

const fields = `
const a = await step.email('a', () => ({
  subject: 's', body: 'b', from: { email: 'e', name: 'n' }, replyTo: 'r', preheader: 'p', useProviderDefaults: true }),
  { skip: (controls, { payload: sent, subscriber: to, state: stored }) => sent === to || stored === undefined })
await step.sms('b', async () => ({ body: 'b' }))
await step.push('c', () => { return { subject: 's', body: 'b' } })
await step.chat('d', () => ({ body: 'b' }))
const f = await step.inApp('f', () => ({ body: 'b', avatar: 'https://a.test/a.png', data: { id: 1 },
  primaryAction: { label: 'l', redirect: { url: '/', target: '_self' } }, secondaryAction: { label: 'l' }, redirect: { url: '/' } }))
await step.inApp('f2', () => ({ subject: 's' }))
const g = await step.digest('g', () => ({
  type: 'regular', amount: 1, unit: 'hours', digestKey: 'k', lookBackWindow: { amount: 1, unit: 'hours' }, extendToSchedule: true }))
await step.digest('g2', () => ({ type: 'timed', cron: '0 9 * * *', digestKey: 'k', extendToSchedule: true }))
const h = await step.delay('h', () => ({ type: 'regular', amount: 1, unit: 'hours', extendToSchedule: true }))
await step.delay('h2', () => ({ type: 'timed', cron: '0 9 * * *', extendToSchedule: true }))
await step.delay('h3', () => ({ type: 'dynamic', dynamicKey: 'k', extendToSchedule: true }))
const i = await step.throttle('i', () => ({
  type: 'fixed', amount: 1, unit: 'hours', dynamicKey: 'k', threshold: 1, throttleKey: 'k' }))
await step.digest('g3', async () => ({
  type: 'regular', amount: 1, unit: 'hours', digestKey: 'k', lookBackWindow: { amount: 1, unit: 'hours' }, extendToSchedule: true }))
await step.digest('g4', async () => ({ type: 'timed', cron: '0 9 * * *', digestKey: 'k' }))
await step.delay('h4', async () => ({ type: 'regular', amount: 1, unit: 'hours', extendToSchedule: true }))
await step.delay('h5', async () => ({ type: 'dynamic', dynamicKey: 'k', extendToSchedule: true }))
await step.throttle('i2', async () => ({
  type: 'fixed', amount: 1, unit: 'hours', dynamicKey: 'k', threshold: 1, throttleKey: 'k' }))
await step.custom('j', async (controls, { signal: ended, idempotencyKey: once }) => ({ at: ended.aborted, once }))
await order.trigger({ to: 'ada', payload: { id: 'i' }, transactionId: 't', overrides: {}, actor: 'bob', context: {} })
const l = await step.waitForEvent('l', () => ({ event: 'e', match: { id: 'i' }, timeout: { amount: 1, unit: 'hours' } }))
const l2 = await step.waitForEvent('l2', async () => ({
  event: 'e', match: { id: 'i' }, timeout: { amount: 1, unit: 'hours' } }))
const m = await step.trigger('m', () => ({ workflow: order, to: 'ada', payload: { id: 'i' }, overrides: {} }))
const n = await step.trigger('n', async () => ({ workflow: 'other', to: 'ada', payload: {}, overrides: {} }), { await: true })
const o = await step.sms('o', () => ({ body: 'b' }), { onFailure: 'return' })
const { _ctx: how } = a
console.log(l.received, l.payload, l2.received, m.status, m.transactionId, n.status, n.transactionId, n.runs,
  n.runs[0]?.runId, n.runs[0]?.subscriberId, n.runs[0]?.status, o.status)
if (o.status === 'completed') console.log(o.result)
else if (o.status === 'failed') console.log(o.error, o.error.code, o.error.message)
console.log(how.timestamp, how.state, how.state.status, how.state.error, f.seen, f.read, f.lastSeenDate, f.lastReadDate,
  g.events, g.eventCount, g.events[0]?.id, g.events[0]?.time, g.events[0]?.payload,
  h.duration, i.throttled, i.executionCount, i.threshold, i.windowStart)
`
// The app defines the content of `data` and of a custom step's result.
const written =
  /(?<!\bawait step|'|https)\b(?!id: |at: )\w+(?=: )|(?<=\b(?:how|how\.state|[f-o]|l2|g\.events\[0\]\?|n\.runs\[0\]\?|o\.error)\.)\w+/g

let service: ts.LanguageService
const files = new Map<string, string>()
const pathOf = (name: string): string => join(folder, `.editor-${name}.ts`)

beforeAll(() => {
  for (const [index, { code }] of mistakes.entries()) files.set(pathOf(`mistake-${index}`), inWorkflow(code))
  files.set(pathOf('every'), inWorkflow(every))
  files.set(pathOf('fields'), inWorkflow(fields))
  const options: ts.CompilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    skipLibCheck: true,
    types: [],
  }
  service = ts.createLanguageService({
    getScriptFileNames: () => [...files.keys()],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => {
      const text = files.get(name) ?? ts.sys.readFile(name)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => folder,
    getCompilationSettings: () => options,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => files.has(name) || ts.sys.fileExists(name),
    readFile: (name) => files.get(name) ?? ts.sys.readFile(name),
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  })
}, 60_000)

/** The compiler's result for a mistake: the marked lines, and its messages. */
function faultsOf(index: number): { readonly lines: readonly string[]; readonly messages: readonly string[] } {
  const path = pathOf(`mistake-${index}`)
  const text = files.get(path) ?? ''
  const diagnostics = [...service.getSyntacticDiagnostics(path), ...service.getSemanticDiagnostics(path)]
  const lineAt = (start: number): string => text.split('\n')[text.slice(0, start).split('\n').length - 1] ?? ''
  return {
    lines: diagnostics.map(({ start = 0 }) => lineAt(start)),
    messages: diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
  }
}

/** For a field of a provider override, the compiler also marks the override. */
const marksMore = ['a provider field of another type']
/** If a string is returned as a result, the message is long and is reported at the string. */
const saysMore = [...marksMore, 'a result that is a text']

describe('a mistake is a compile error on its line, with a message of at most two lines', () => {
  test.each(mistakes.map(({ what }, index) => [what, index] as const))('%s', (what, index) => {
    const { lines, messages } = faultsOf(index)
    expect(messages).not.toEqual([])
    if (!marksMore.includes(what)) expect(lines, messages.join('\n')).toEqual([expect.stringContaining(mark)])
    if (!saysMore.includes(what)) for (const message of messages) expect(message.split('\n').length).toBeLessThan(3)
  })
})

test.each([
  ['every kind of step and every option of it', 'every', every, options, 39],
  ['every field of what a handler returns and of what a step results in', 'fields', fields, written, 157],
] as const)('%s is documented in the editor', (_what, file, code, pattern, count) => {
  const path = pathOf(file)
  expect(
    service.getSemanticDiagnostics(path).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' ')),
  ).toEqual([])
  const start = files.get(path)?.indexOf(code) ?? 0
  const names = [...code.matchAll(pattern)]
  expect(names.length).toBeGreaterThanOrEqual(count)
  const bare = names.filter(({ index }) => {
    const info = service.getQuickInfoAtPosition(path, start + index)
    return ts.displayPartsToString(info?.documentation).trim() === ''
  })
  expect(bare.map(({ 0: name, index }) => `${name} in line ${code.slice(0, index).split('\n').length - 1}`)).toEqual([])
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { ask, discoverWhole } from '../../call-bridge.fixture.ts'
import { workflow } from '../../workflow/workflow.ts'
import { scanTokens } from '../dictionary/tokens/scan-tokens.ts'
import type { Data } from '../samples/everyday.fixture.ts'
import { areSettled, createCertainty } from './certainty.ts'
import { questions } from './questions.fixture.ts'

// Where the text of a function tells all of its steps and all were called, discovery needs few runs more.

const many = z.enum(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'])
const asked: typeof questions = [
  ...questions,
  [many, (field) => `${field} === 'k'`],
  [many, (field) => `${field} > 'c'`],
]
const branch = fc.record({
  question: fc.nat({ max: asked.length - 1 }),
  isTurned: fc.boolean(),
  hasOther: fc.boolean(),
  /** What stands in front of it. */
  before: fc.constantFrom('', '', 'step', 'return'),
  /** Whether the condition chooses a schema, and not a step. */
  isOfSchema: fc.nat({ max: 8 }).map((drawn) => drawn === 0),
})
const branches = fc.array(branch, { minLength: 1, maxLength: 3 })

/** A function that asks each question of a field of its own. */
function toFunction(branches: readonly (typeof branch extends fc.Arbitrary<infer One> ? One : never)[]) {
  const shape: Record<string, z.ZodType> = { leaves: z.number() }
  const step = (id: string): string => `await step.sms('${id}', () => ({ body: 'x' }))`
  const lines = branches.flatMap(({ question, isTurned, hasOther, before, isOfSchema }, index) => {
    const [type, about] = asked[question] ?? [z.string(), () => 'true']
    shape[`f${index}`] = type
    const condition = about(`payload.f${index}`)
    const other = hasOther ? ` else { ${step(`no${index}`)} }` : ''
    const inFront = before === 'step' ? step(`plain${index}`) : before && `if (payload.leaves === ${index}) return`
    const schema = (name: string): string => `{ type: 'object', properties: { ${name}: { type: 'string' } } }`
    const controls = `{ controlSchema: ${condition} ? ${schema('a')} : ${schema('b')} }`
    if (isOfSchema) return [inFront, `await step.sms('own${index}', () => ({ body: 'x' }), ${controls})`]
    return [inFront, `if (${isTurned ? `!(${condition})` : condition}) { ${step(`yes${index}`)} }${other}`]
  })
  return { body: lines.join('\n'), schema: z.object(shape) }
}

test('it tells the same steps as one that cannot know what the text tells', async () => {
  const made = { few: 0, usual: 0 }
  const discover = async (body: string, payloadSchema: z.ZodType, count: () => void) => {
    const run = new Function('count', `return async ({ step, payload }) => { count()\n${body} }`)(count)
    const answer = await discoverWhole(workflow('w', run, { payloadSchema }))
    if (answer.status !== 200) return { ids: [answer.body.code], others: [], conditional: [] }
    const [{ steps, warnings = [] }] = answer.body.workflows
    // Whether there may be more is what only the text can tell.
    const others = warnings.filter(({ code }: Data) => code !== 'DiscoveryIncomplete')
    const conditional = steps.filter((one: Data) => one.conditional).map(({ stepId }: Data) => stepId)
    return { ids: steps.map(({ stepId }: Data) => stepId), others, conditional }
  }
  const property = fc.asyncProperty(branches, async (drawn) => {
    const { body, schema } = toFunction(drawn)
    const few = await discover(body, schema, () => made.few++)
    // Whatever takes the object of the steps may call any of them.
    const usual = await discover(`void step\n${body}`, schema, () => made.usual++)
    expect([few.ids, few.others]).toEqual([usual.ids, usual.others])
    // Not every step that is conditional is seen to be by either.
    expect(few.conditional).toEqual(expect.arrayContaining(usual.conditional))
    const plain = few.ids.filter((id: string) => id.startsWith('plain'))
    if (!body.includes('return')) expect(few.conditional.filter((id: string) => plain.includes(id))).toEqual([])
  })
  await fc.assert(property, { numRuns: Math.min(Number(process.env['FC_RUNS'] ?? 25), 500) })
  expect(made.few).toBeLessThan(made.usual * 0.95)
})

test('a usual workflow is run some tens of times', async () => {
  let runs = 0
  const run = async ({ step, payload }: Data): Promise<void> => {
    runs++
    const { paid, cents } = await step.custom('look-up', () => ({}), {
      outputSchema: z.object({ paid: z.boolean().optional(), cents: z.number().optional() }),
    })
    if (paid || cents === undefined) return
    const { read } = await step.inApp('inbox', () => ({ body: 'x' }))
    await step.delay('wait', () => ({ amount: 2, unit: 'days' }))
    if (!read) await step.email('mail', () => ({ subject: 'x', body: 'x' }))
    if (payload.channel === 'sms' && payload.items.length > 2) await step.sms('text', () => ({ body: 'x' }))
  }
  const items = z.array(z.object({ name: z.string(), count: z.number() }))
  const payloadSchema = z.object({ channel: z.enum(['sms', 'email']), items })
  const { body } = await ask(workflow('w', run, { payloadSchema }), { action: 'discover' })
  const steps = body.workflows[0].steps.map(({ stepId, conditional }: Data) => `${stepId} ${conditional}`)
  expect(steps).toEqual(['look-up false', 'inbox true', 'wait true', 'mail true', 'text true'])
  expect(runs).toBeLessThan(60)
})

const h = (): Record<string, string> => ({ body: 'x' })
const makeSchema = (name: string): object => ({ type: 'object', properties: { [name]: { type: 'string' } } })

test.each<[string, (data: Data) => Promise<void>, unknown]>([
  [
    'a step is left out',
    async ({ step, payload }) => {
      if (payload.plan !== 'k') await step.sms('one', h)
    },
    [['one', true]],
  ],
  [
    'a step has another schema',
    async ({ step, payload }) => {
      await step.sms('one', h, { controlSchema: makeSchema(payload.plan === 'k' ? 'a' : 'b') })
    },
    'StepAlreadyExistsError',
  ],
  [
    'a step that only one run has called by then has another schema',
    async ({ step, payload }) => {
      if (payload.total > 800) await step.sms('one', h, { controlSchema: makeSchema(payload.plan === 'k' ? 'a' : 'b') })
    },
    'StepAlreadyExistsError',
  ],
  [
    'a function within is called',
    async ({ step, payload }) => {
      const { plan } = payload
      const tell = async (): Promise<void> => await step.sms('one', h)
      if (plan !== 'k') await tell()
    },
    [['one', true]],
  ],
])('the last but one value of many shows that %s', async (_, run, expected) => {
  const payloadSchema = z.object({ plan: many, total: z.number() })
  const { body } = await ask(workflow('w', run, { payloadSchema }), { action: 'discover' })
  const steps = body.workflows?.[0].steps.map(({ stepId, conditional }: Data) => [stepId, conditional])
  expect(body.code ?? steps).toEqual(expected)
})

test('schemas are taken for the same in each run once two runs have shown the same', () => {
  const source = "async ({ step }) => { await step.sms('one', tell, { controlSchema: shared }) }"
  const toRun = (controlSchema: object) => ({
    end: 'normal',
    calls: [{ id: 'one', call: { options: { controlSchema } }, lastReads: [] }],
  })
  const certainty = createCertainty({ run: Object.assign(() => undefined, { toString: () => source }) } as never)
  const shared = makeSchema('a')
  expect(certainty([toRun(shared)] as never)).toBe('nothing')
  expect(certainty([toRun(shared), toRun(makeSchema('a'))] as never)).toBe('nothing')
  expect(certainty([toRun(shared), toRun(shared)] as never)).toBe('conditions')
})

test('a step that is written at two places may be two, and is looked for as ever', async () => {
  const countRuns = async (other: string): Promise<number> => {
    let runs = 0
    const body = `count()
      const { level, total } = payload
      if (level === 'late') await step.sms('tell', () => ({ body: 'x' }))
      else if (total > 800) await step.sms('${other}', () => ({ body: 'x' }))`
    const run = new Function('count', `return async ({ step, payload }) => { ${body} }`)(() => runs++)
    const payloadSchema = z.object({ level: z.string(), total: z.number() })
    await ask(workflow('w', run, { payloadSchema }), { action: 'discover' })
    return runs
  }
  expect(await countRuns('tell')).toBeGreaterThan((await countRuns('other')) + 5)
})

test.each<[string, string, readonly (readonly string[])[], boolean]>([
  ['a step that a run has left out', "if (payload.vip) await step.sms('a', tell)", [['a'], []], true],
  ['one that none has, behind a question', "if (payload.vip) await step.sms('a', tell)", [['a'], ['a']], false],
  [
    'one with nothing but what is read in front of it',
    "const { vip } = payload; await step.sms('a', tell)",
    [['a'], ['a']],
    true,
  ],
  ['one behind a way out', "if (payload.vip) return; await step.sms('a', tell)", [['a'], ['a']], false],
  ['one whose text is not found', 'step.sms(id)', [['a'], ['a']], false],
  [
    'one in a function that is called somewhere',
    "const tell = async () => await step.sms('a', h); await tell()",
    [['a'], ['a']],
    false,
  ],
  ['one for each item', "payload.list.map(async () => { await step.sms('a', h) })", [['a'], ['a']], false],
  ['one whose text is not found, behind a question', 'payload.vip && step.sms(id)', [['a'], ['a']], false],
])('it is certain of %s: %s', (_, body, called, expected) => {
  const toRun = (ids: readonly string[]) => ({
    end: 'normal',
    calls: ids.map((id) => ({ id, lastReads: ['payload/vip'] })),
  })
  expect(areSettled(scanTokens(`async ({ step, payload }) => { ${body} }`), called.map(toRun) as never)).toBe(expected)
})

test('it is certain of a step in front of which nothing is read', () => {
  const runs = [{ end: 'normal', calls: [{ id: 'a', lastReads: [] }] }]
  expect(areSettled(scanTokens("if (flag) await step.sms('a', tell)"), runs as never)).toBe(true)
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { draws } from '../../../../test/scope.ts'
import { ask, discoverWhole } from '../call-bridge.fixture.ts'
import { workflow } from '../workflow/workflow.ts'
import type { Data } from './samples/everyday.fixture.ts'
import { items, orders, questions } from './written/questions.fixture.ts'

const maxDepth = 2
/** Of each style; every one of them takes as long as a discovery may. */
const runs = draws(20, 200)

interface Branch {
  readonly question: number
  readonly yes: Block
  readonly no: Block | undefined
}
type Block = readonly Branch[]

const { block } = fc.letrec<{ block: Block; branch: Branch }>((tie) => ({
  block: fc.array(tie('branch'), { minLength: 0, maxLength: 2, depthIdentifier: 'nest' }),
  branch: fc.record({
    question: fc.nat({ max: questions.length - 1 }),
    yes: tie('block'),
    no: fc.option(tie('block'), { nil: undefined, depthIdentifier: 'nest', maxDepth: 3 }),
  }),
}))
const anyFunction = fc.tuple(block, block, block).map(([...blocks]) => toFunction(blocks.flat()))

/** A function that asks each question of a field of its own, so that every step of it can be reached. */
function toFunction(branches: Block) {
  const shape: Record<string, z.ZodType> = {}
  let steps = 0
  const write = (blockOf: Block, depth: number): string => {
    const step = `await step.sms('s${steps++}', () => ({ body: 'x' }))\n`
    if (depth > maxDepth) return step
    return step + blockOf.map((branch) => writeBranch(branch, depth)).join('')
  }
  const writeBranch = ({ question, yes, no }: Branch, depth: number): string => {
    const [schema, about] = questions[question] ?? [z.string(), () => 'true']
    const name = `f${Object.keys(shape).length}`
    shape[name] = schema
    const other = no ? ` else {\n${write(no, depth + 1)}}` : ''
    return `if (${about(name)}) {\n${write(yes, depth + 1)}}${other}\n`
  }
  const body = write(branches, 1)
  return { body, steps, shape }
}

interface Style {
  readonly hasSchema: boolean
  /** Whether the function reads all of its data first, and not where it asks of it. */
  readonly isEarly: boolean
  /** Whether the data lies deep, as that of an event of another service. */
  readonly isDeep?: boolean
}

/** Returns how many steps a discovery has not found. */
async function lostOf(
  { body: code, steps, shape }: ReturnType<typeof toFunction>,
  { hasSchema, isEarly, isDeep }: Style,
): Promise<number> {
  const names = Object.keys(shape)
  const data = isDeep ? 'payload.data.order' : 'payload'
  const early = `async ({ step, payload }) => {\nconst { ${names.join(', ')} } = ${data}\n${code}}`
  const late = `async ({ step, payload }) => {\n${code.replaceAll(/\bf\d+\b/g, `${data}.$&`)}}`
  const run = new Function(`return ${isEarly ? early : late}`)()
  const order = z.object(shape)
  const payloadSchema = isDeep ? z.object({ data: z.object({ order }) }) : order
  const one = workflow('w', run, hasSchema ? { payloadSchema } : {})
  const { body } = await discoverWhole(one)
  const found = new Set(body.workflows[0].steps.map(({ stepId }: { stepId: string }) => stepId))
  return steps - found.size
}

describe.each<Style>([
  { hasSchema: true, isEarly: false },
  { hasSchema: false, isEarly: false },
  { hasSchema: true, isEarly: true },
  { hasSchema: false, isEarly: true },
  { hasSchema: false, isEarly: false, isDeep: true },
  { hasSchema: false, isEarly: true, isDeep: true },
])('of functions with many conditions: %j', (style) => {
  it('a discovery finds nearly all steps', async () => {
    const functions = fc.sample(anyFunction, { seed: 11, numRuns: runs })
    let [lost, steps] = [0, 0]
    for (const one of functions) {
      lost += await lostOf(one, style)
      steps += one.steps
    }
    expect(steps).toBeGreaterThan(7.5 * runs)
    const share = style.isEarly ? (style.isDeep ? 0.03 : 0.02) : 0.01
    expect(lost).toBeLessThanOrEqual(steps * share)
  })
})

it('and tells of no step that may be missing for the sake of items far behind in a list', async () => {
  const run = async ({ step, payload }: Data): Promise<void> => {
    if (payload.items.length > 9) await step.sms('many', () => ({ body: 'x' }))
    for (const { sku } of payload.items)
      if (sku === 'gift') {
        await step.sms('gift', () => ({ body: 'x' }))
        break
      }
  }
  const one = workflow('w', run, { payloadSchema: z.object({ items }) })
  const { body } = await ask(one, { action: 'discover' })
  expect(body.workflows[0].steps.map(({ stepId }: Data) => stepId)).toEqual(['many', 'gift'])
  expect(JSON.stringify(body.workflows[0])).not.toContain('depends on more data')
})

it('and finds items that must fit together within other conditions', async () => {
  const run = async ({ step, payload }: Data): Promise<void> => {
    if (payload.level === 'gold')
      if (payload.items.filter(({ price }: Data) => price > 20).length > 1)
        await step.sms('both', () => ({ body: 'x' }))
  }
  const schema = z.object({ level: z.string(), items })
  const { body } = await ask(workflow('w', run, { payloadSchema: schema }), { action: 'discover' })
  expect(body.workflows[0].steps.map(({ stepId }: Data) => stepId)).toEqual(['both'])
})

it('and finds what a literal that stands beside no field decides, however many fields there are', async () => {
  const run = async ({ step, payload }: Data): Promise<void> => {
    if (payload.plan === 'gold') await step.sms('gold', () => ({ body: 'x' }))
    for (const [topic, way] of Object.entries(payload.topics))
      if (way === 'sms') await step.sms(`tell-${topic}`, () => ({ body: 'x' }))
  }
  const topics = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`t${index}`, z.string()]))
  const schema = z.object({ plan: z.string(), topics: z.object(topics) })
  const { body } = await ask(workflow('w', run, { payloadSchema: schema }), { action: 'discover' })
  expect(body.workflows[0].steps).toHaveLength(41)
})

it('and leaves room for the day of a date behind lists within lists', async () => {
  const run = async ({ step, payload }: Data): Promise<void> => {
    if (payload.plan === 'paid') await step.sms('paid', () => ({ body: 'x' }))
    if (payload.level === 'c') await step.sms('c', () => ({ body: 'x' }))
    else {
      if (payload.orders.some((one: Data) => one.lines.some(({ sku }: Data) => sku === 'gift')))
        await step.sms('gift', () => ({ body: 'x' }))
      if (payload.open.find((one: Data) => one.status === 'late')?.total > 50)
        await step.sms('late', () => ({ body: 'x' }))
    }
    if (payload.items.some(({ quantity }: Data) => quantity > 10)) {
      await step.sms('many', () => ({ body: 'x' }))
      if (new Date(payload.due).getUTCDay() === 5) await step.sms('friday', () => ({ body: 'x' }))
    } else {
      await step.sms('few', () => ({ body: 'x' }))
      if (payload.gifts.every(({ sku }: Data) => sku.startsWith('S'))) await step.sms('gifts', () => ({ body: 'x' }))
    }
  }
  const level = z.enum(['a', 'b', 'c', 'd'])
  const shape = { plan: z.string(), level, orders, open: orders, items, due: z.iso.datetime(), gifts: items }
  const { body } = await discoverWhole(workflow('w', run, { payloadSchema: z.object(shape) }))
  const ids = body.workflows[0].steps.map(({ stepId }: Data) => stepId)
  expect(ids.toSorted()).toEqual(['c', 'few', 'friday', 'gift', 'gifts', 'late', 'many', 'paid'])
})

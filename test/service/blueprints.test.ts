import { createBridge, workflow } from '@trestle/core'
import { templateFilters } from '@trestle/templates/liquid'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { renderControl } from '../../packages/service/src/compose/control-template.ts'
import { liquidEngine } from '../../packages/service/src/templates/liquid-engine.ts'
import { createRenderBudget } from '../../packages/service/src/templates/render-budget.ts'
import { draws } from '../scope.ts'
import { secretKey, startWorld, type World } from './world.fixture.ts'

interface Blueprint {
  readonly name: string
  readonly payloadSchema: object
  readonly triggers: readonly { readonly identifier: string }[]
  readonly steps: readonly { readonly stepId: string; readonly type: string; readonly controlValues: object }[]
}

const bodySchema = { type: 'object', properties: { body: { type: 'string' } } } as const

const methods: Readonly<Record<string, string>> = { in_app: 'inApp' }

/** Creates a code workflow from a blueprint: each step returns its controls. */
function toWorkflow({ triggers, steps, payloadSchema }: Blueprint) {
  const run = async ({ step }: { step: object }): Promise<void> => {
    for (const { stepId, type, controlValues } of steps) {
      const call: unknown = Reflect.get(step, methods[type] ?? type)
      if (typeof call !== 'function') throw new Error(`there is no step of the kind ${type}`)
      const properties = Object.fromEntries(Object.keys(controlValues).map((name) => [name, {}]))
      const controlSchema = { type: 'object', properties, default: controlValues }
      await call.call(step, stepId, (controls: object) => ({ ...controls }), { controlSchema })
    }
  }
  return workflow(triggers[0]?.identifier ?? '', run as never, { payloadSchema: payloadSchema as never })
}

describe('the blueprints', () => {
  let world: World
  let blueprints: readonly Blueprint[] = []
  beforeAll(async () => {
    world = await startWorld()
    const groups: { general: { blueprints: Blueprint[] }[] } = await world.call('GET /v1/blueprints/group-by-category')
    blueprints = groups.general.flatMap((group) => group.blueprints)
  })
  afterAll(() => world.stop())

  test('have steps that a bridge renders without an error, with every variable filled in', async () => {
    expect(blueprints.length).toBeGreaterThanOrEqual(3)
    const bridge = createBridge({ workflows: blueprints.map(toWorkflow), strictAuthentication: false, secretKey })
    for (const { triggers, steps } of blueprints)
      for (const { stepId, controlValues } of steps) {
        const query = new URLSearchParams({ action: 'preview', workflowId: triggers[0]?.identifier ?? '', stepId })
        const body = JSON.stringify({ subscriber: { subscriberId: 'ada', firstName: 'Ada' }, controls: controlValues })
        const headers = { 'content-type': 'application/json' }
        const response = await bridge.fetch(
          new Request(`http://bridge.test/?${query}`, { method: 'POST', headers, body }),
        )
        const text = await response.text()
        expect([stepId, response.status, text]).toEqual([stepId, 200, text])
        expect(text).not.toMatch(/\{\{|\{%/)
      }
  })

  test('run as stored workflows without a bridge, with every variable filled in', async () => {
    const payload = { appName: 'A', startUrl: 'https://a.example', actor: '<Ann>', action: 'likes', target: 'it' }
    const more = { resetUrl: 'https://a.example/?a=1&b=2', minutes: 5, code: '123456' }
    const events = [{ id: '1', time: new Date(0).toISOString(), payload }]
    for (const { name, triggers, steps, payloadSchema } of blueprints) {
      const workflowId = `stored-${triggers[0]?.identifier}`
      await world.call('POST /v2/workflows', {
        name,
        workflowId,
        active: true,
        steps: steps.map(({ stepId, type, controlValues }) => ({ name, stepId, type, controlValues })),
        payloadSchema,
      })
      for (const { stepId } of steps) {
        const previewPayload = { payload: { ...payload, ...more }, steps: { day: { events, eventCount: 1 } } }
        const preview = JSON.stringify(
          await world.call(`POST /v2/workflows/${workflowId}/step/${stepId}/preview`, { previewPayload }),
        )
        expect([stepId, preview]).toEqual([stepId, expect.not.stringMatching(/\{\{|\{%|&amp;lt;/)])
        if (stepId === 'summary') expect(preview).toMatch(/1 event for you.*<li>&lt;Ann&gt; likes it<\/li>/)
      }
    }
  })
})

const words = fc.array(fc.oneof(fc.string({ maxLength: 5 }), fc.record({ n: fc.string({ maxLength: 5 }) })), {
  maxLength: 6,
})
const values = fc.oneof(words, fc.array(words), fc.double(), fc.dictionary(fc.string(), fc.integer()))

test('templates with filters render the same in the service and in a bridge', async () => {
  const engine = await liquidEngine()
  const render = (text: string, payload: object): string => {
    const budget = createRenderBudget({ memory: 1_000_000, output: 1_000_000 })
    return renderControl(text, { variables: { payload }, isHtml: false, budget }, engine)
  }
  const echo = workflow('echo', async ({ step }) => {
    await step.chat('say', ({ body }) => ({ body: `[${body}]` }), { controlSchema: bodySchema })
  })
  const bridge = createBridge({ workflows: [echo], strictAuthentication: false, secretKey })
  const headers = { 'content-type': 'application/json' }
  const renderInBridge = async (body: string, payload: object): Promise<unknown> => {
    const call = { payload, controls: { body }, subscriber: {}, state: [] }
    const url = 'http://bridge.test/?action=execute&workflowId=echo&stepId=say'
    const response = await bridge.fetch(new Request(url, { method: 'POST', headers, body: JSON.stringify(call) }))
    return ((await response.json()) as { outputs?: object }).outputs
  }
  const named = [
    'nil',
    'blank',
    'empty',
    'true',
    'false',
    '"n"',
    '"0"',
    '""',
    'payload.value',
    'payload.none',
    '(1..3)',
  ]
  const expression = fc.oneof(fc.constantFrom(...named), fc.integer({ min: -1, max: 4 }).map(String))
  const filter = fc
    .tuple(fc.constantFrom(...Object.keys(templateFilters)), fc.array(expression, { maxLength: 6 }))
    .map(([name, options]) => ` | ${name}${options.length > 0 ? `: ${options.join(', ')}` : ''}`)
  const template = fc.tuple(expression, fc.option(filter, { nil: '' })).map(([value, rest]) => `{{ ${value}${rest} }}`)
  const property = fc.asyncProperty(template, values, async (text, value) => {
    const payload = { value: JSON.parse(JSON.stringify(value)), none: null }
    expect(await renderInBridge(text, payload)).toEqual({ body: `[${render(text, payload)}]` })
  })
  await fc.assert(property, { numRuns: draws(100, 2000) })
})

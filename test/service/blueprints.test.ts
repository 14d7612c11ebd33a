import { createBridge, workflow } from '@trestle/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { secretKey, startWorld, type World } from './world.fixture.ts'

interface Blueprint {
  readonly name: string
  readonly payloadSchema: object
  readonly triggers: readonly { readonly identifier: string }[]
  readonly steps: readonly { readonly stepId: string; readonly type: string; readonly controlValues: object }[]
}

const methods: Readonly<Record<string, string>> = { in_app: 'inApp' }

/** Makes a workflow in code of a blueprint: each step returns its controls. */
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

  test('have steps that a bridge renders without an error, every variable filled in', async () => {
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
})

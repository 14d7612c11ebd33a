import { expect, it, vi } from 'vitest'
import { createBridge } from './http/create-bridge.ts'
import { novu } from './novu.ts'
import { workflow } from './workflow/workflow.ts'

const closed = { type: 'object', properties: { id: { type: 'string' } }, additionalProperties: false } as const
const seen = vi.fn()

const moved = workflow(
  'moved',
  async ({ step, payload }) => {
    seen(payload)
    await step.sms('text', () => ({ body: 'b', to: '+1', more: { deep: 1 } }) as never, {
      providers: { 'novu-sms': () => ({ extra: 1 }) as never },
    })
    await step.sms('bad', () => ({ body: 5, to: '+1' }) as never)
    await step.sms('named', (controls) => ({ body: controls.text }), {
      controlSchema: {
        type: 'object',
        properties: {
          text: { type: 'string', default: 'Hi {{userName}}{% if userName %}!{% endif %}, {{payload.id}}' },
        },
        additionalProperties: false,
      } as const,
    })
  },
  { payloadSchema: closed },
)

const done = (stepId: string): object => ({ stepId, outputs: { body: 'b' }, state: { status: 'completed' } })

interface Given {
  readonly service?: typeof novu
  readonly payload?: object
  readonly controls?: object
  readonly before?: string[]
  readonly action?: 'execute' | 'preview'
}

async function execute(stepId: string, options: Given) {
  const warn = vi.fn()
  const { service, payload = { id: '7' }, controls = {}, before = [], action = 'execute' } = options
  const logger = { warn, error: () => undefined }
  const bridge = createBridge({ workflows: [moved], strictAuthentication: false, logger, service })
  const call = async (): Promise<{ status: number; body: Record<string, unknown> }> => {
    const url = `http://x/?action=${action}&workflowId=moved&stepId=${stepId}`
    const body = JSON.stringify({ payload, controls, state: before.map(done) })
    const response = await bridge.fetch(
      new Request(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } }),
    )
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const first = await call()
  await call()
  return { ...first, warnings: warn.mock.calls.map(([, message]) => message as string) }
}

it('drops unknown fields of outputs and overrides under the preset, with one warning each', async () => {
  const { status, body, warnings } = await execute('text', { service: novu })
  expect([status, body['outputs'], body['providers']]).toEqual([200, { body: 'b' }, { 'novu-sms': {} }])
  expect(warnings.filter((message) => message.includes('unknown field'))).toEqual([
    'The unknown field "/to" in the output of step "text" of workflow "moved" was dropped. Remove it.',
    'The unknown field "/more" in the output of step "text" of workflow "moved" was dropped. Remove it.',
    'The unknown field "/extra" in the override for provider "novu-sms" of step "text" of workflow "moved" was dropped. Remove it.',
  ])
})

it('rejects other errors in an output under the preset', async () => {
  const { status, body } = await execute('bad', { service: novu, before: ['text'] })
  expect([status, body['code']]).toEqual([400, 'ExecutionStateOutputInvalidError'])
  expect(body['message']).toContain('/body must be a string')
})

it('drops unknown fields of a payload whose schema is closed', async () => {
  const payload = { id: '7', __source: 'dashboard', a: { b: 1 } }
  const { status, warnings } = await execute('text', { service: novu, payload })
  expect(status).toBe(200)
  expect(seen).toHaveBeenLastCalledWith({ id: '7' })
  expect(warnings.filter((message) => message.includes('payload'))).toHaveLength(2)
  expect((await execute('text', { service: novu, payload: { id: 7, __source: 'x' } })).status).toBe(400)
})

it('previews a payload with unknown fields like it executes one', async () => {
  const payload = { id: '7', __source: 'dashboard' }
  const { status, warnings } = await execute('text', { service: novu, payload, action: 'preview' })
  expect(status).toBe(200)
  expect(seen).toHaveBeenLastCalledWith({ id: '7' })
  expect(warnings.filter((message) => message.includes('payload'))).toHaveLength(1)
  expect((await execute('text', { service: novu, payload: { id: 7 }, action: 'preview' })).status).toBe(400)
  expect((await execute('text', { payload, action: 'preview' })).status).toBe(400)
})

it('drops all unknown fields, up to a limit, even if one check does not list all of them', async () => {
  const payload = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]))
  expect((await execute('text', { service: novu, payload: payload(900) })).status).toBe(200)
  expect((await execute('text', { service: novu, payload: payload(1100) })).status).toBe(400)
})

it('renders an unknown template variable as empty under the preset, with a warning', async () => {
  const { status, body, warnings } = await execute('named', { service: novu, before: ['text', 'bad'] })
  expect([status, body['outputs']]).toEqual([200, { body: 'Hi , 7' }])
  expect(warnings.filter((message) => message.includes('"userName"'))).toEqual([
    'The variable "userName" in a control template of step "named" of workflow "moved" is unknown and printed nothing. Use payload.userName for a payload field.',
  ])
})

it('drops stored controls that a closed schema does not have', async () => {
  const given = { controls: { text: 'a {{payload.id}}', headline: 'of last year' }, before: ['text', 'bad'] }
  const { status, body, warnings } = await execute('named', { service: novu, ...given })
  expect([status, body['outputs']]).toEqual([200, { body: 'a 7' }])
  expect(warnings.filter((message) => message.includes('headline'))).toEqual([
    'The unknown field "/headline" in the controls of step "named" of workflow "moved" was dropped. Remove it.',
  ])
  expect((await execute('named', given)).body['code']).toBe('ExecutionStateControlInvalidError')
})

it('drops unknown fields of a stored result, which an earlier version of the app can have returned', async () => {
  const loading = workflow('loading', async ({ step }) => {
    const found = await step.custom('load', () => ({ id: '7' }), { outputSchema: closed })
    const { _ctx: _, ...fields } = found
    await step.sms('text', () => ({ body: JSON.stringify(fields) }))
  })
  const read = async (outputs: object, service?: typeof novu) => {
    const warn = vi.fn()
    const logger = { warn, error: () => undefined }
    const bridge = createBridge({ workflows: [loading], strictAuthentication: false, logger, service })
    const state = [{ stepId: 'load', outputs, state: { status: 'completed' } }]
    const request = new Request('http://x/?action=execute&workflowId=loading&stepId=text', {
      method: 'POST',
      body: JSON.stringify({ state }),
      headers: { 'content-type': 'application/json' },
    })
    const body = (await (await bridge.fetch(request)).json()) as Record<string, unknown>
    return { body, warnings: warn.mock.calls.map(([, message]) => message as string) }
  }
  const { body, warnings } = await read({ id: '7', status: 'ok' }, novu)
  expect(body['outputs']).toEqual({ body: '{"id":"7"}' })
  expect(warnings).toContain(
    'The unknown field "/status" in the stored result of step "load" of workflow "loading" was dropped. Remove it.',
  )
  expect((await read({ id: 7, status: 'ok' }, novu)).body['code']).toBe('ExecutionStateResultInvalidError')
  expect((await read({ id: '7', status: 'ok' })).body['code']).toBe('ExecutionStateResultInvalidError')
})

it('rejects all of these without the preset', async () => {
  expect((await execute('text', {})).body['code']).toBe('ExecutionStateOutputInvalidError')
  expect((await execute('text', { payload: { __source: 'x' } })).body['code']).toBe('WorkflowPayloadInvalidError')
  expect((await execute('named', { before: ['text', 'bad'] })).body['code']).toBe('StepControlCompilationFailedError')
})

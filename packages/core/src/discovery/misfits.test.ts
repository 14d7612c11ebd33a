import { expect, it } from 'vitest'
import { ask } from '../call-bridge.fixture.ts'
import { workflow } from '../workflow/workflow.ts'

const listOf = async (
  field: object,
  samples?: readonly { payload: { code: string } }[],
): Promise<readonly string[]> => {
  const coded = workflow(
    'coded',
    async ({ step, payload }) => void (payload.code.length > 0 && (await step.sms('text', () => ({ body: 'x' })))),
    {
      payloadSchema: {
        type: 'object',
        properties: { code: { type: 'string', pattern: '^ORD-\\d{6}$', ...field } },
        required: ['code'],
      } as const,
      ...(samples && { samples }),
    },
  )
  const { body } = await ask(coded, { action: 'discover' })
  return (body.workflows[0].warnings ?? []).map(({ code, message }: Record<string, string>) => `${code}: ${message}`)
}

it('warns about a pattern that no sample data matches, and suggests a fix', async () => {
  expect(await listOf({})).toEqual([
    expect.stringMatching(/^SampleDoesNotFit: Workflow "coded": .*"payload\/code".* Add an example .*samples: \[/),
  ])
})

it.each<[string, object, { payload: { code: string } }[]?]>([
  ['an example', { examples: ['ORD-123456'] }],
  ['a default', { default: 'ORD-123456' }],
  ['a sample of the developer', {}, [{ payload: { code: 'ORD-123456' } }]],
  ['a name that happens to fit', { pattern: '^[a-z]+$' }],
])('does not warn if there is %s', async (_name, field, samples) => {
  expect(await listOf(field, samples)).toEqual([])
})

it('publishes samples before the examples of the schema, and shows the first in a preview', async () => {
  const ordered = workflow('ordered', ({ step, payload }) => step.sms('text', () => ({ body: payload.id })), {
    payloadSchema: {
      type: 'object',
      properties: { id: { type: 'string' } },
      required: ['id'],
      examples: [{ id: 'of the schema' }],
    } as const,
    samples: [{ payload: { id: 'first' } }, { payload: { id: 'second' } }],
  })
  const { body } = await ask(ordered, { action: 'discover' })
  const examples = [{ id: 'first' }, { id: 'second' }, { id: 'of the schema' }]
  expect(body.workflows[0].payload.schema.examples).toEqual(examples)
  const preview = await ask(ordered, { action: 'preview', workflow: 'ordered', step: 'text' })
  expect(preview.body.outputs).toEqual({ body: 'first' })
})

it('lists the steps of a function that fails for all sample data from its source text, with a warning', async () => {
  const strict = workflow('strict', async ({ step, payload }) => {
    if ((payload as { key?: unknown }).key !== process.pid) throw new Error('no such key')
    await step.sms('first', () => ({ body: 'x' }))
    await step.email('second', () => ({ subject: 's', body: 'b' }))
  })
  const { status, body } = await ask(strict, { action: 'discover' })
  expect(status).toBe(200)
  const [{ steps, complete, warnings }] = body.workflows
  expect(steps).toMatchObject([
    { stepId: 'first', type: 'sms', reached: false },
    { stepId: 'second', type: 'email', reached: false },
  ])
  expect(complete).toBe(true)
  expect(warnings.map(({ code }: { code: string }) => code)).toEqual(['SampleRunsFailed', 'StepNotReached'])
  expect(warnings[0].message).toMatch(/no such key.*listed from the source text/)
  const run = await ask(strict, { workflow: 'strict', step: 'first', payload: { key: process.pid } })
  expect(run.body.outputs).toEqual({ body: 'x' })
})

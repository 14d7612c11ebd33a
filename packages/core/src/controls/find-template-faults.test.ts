import { expect, test } from 'vitest'
import { z } from 'zod'
import { ask } from '../call-bridge.fixture.ts'
import { workflow } from '../workflow/workflow.ts'
import { findTemplateFaults } from './find-template-faults.ts'

test('a misspelled filter in a default is a discovery warning that names its location', async () => {
  const controlSchema = z.object({ subject: z.string().default('Order {{ payload.id | upcaes }}') })
  const flow = workflow('w', async ({ step }) => {
    await step.email('mail', ({ subject }) => ({ subject, body: 'b' }), { controlSchema })
  })
  const { status, body } = await ask(flow, { action: 'discover' })
  expect(status).toBe(200)
  expect(body.workflows[0].warnings).toEqual([
    { code: 'ControlTemplateInvalid', message: expect.stringMatching(/step "mail".*upcaes.*/) },
  ])
  expect(body.workflows[0].warnings[0].message).toMatch(/\/properties\/subject\/default.*line 1, column \d+/)
})

test.each([
  ['a template that works', { properties: { a: { default: 'Hello {{ subscriber.firstName | upcase }}' } } }],
  ['text without one', { properties: { a: { default: 'Hello' } } }],
  ['what is only an example', { properties: { a: { examples: ['{{ x | nope }}'], enum: ['{% nope %}'] } } }],
  ['a property that is called default', { properties: { default: { type: 'string', description: '{{ x | nope }}' } } }],
  ['no schema', true],
])('accepts %s', async (_name, schema) => {
  expect(await findTemplateFaults(schema)).toEqual([])
})

test('checks defaults at any depth', async () => {
  const schema = {
    properties: { a: { default: { list: ['ok', '{% if %}'] } } },
    $defs: { b: { default: '{{ a | nope }}' } },
  }
  expect(await findTemplateFaults(schema)).toMatchObject([
    expect.stringContaining('/properties/a/default/list/1'),
    expect.stringContaining('/$defs/b/default'),
  ])
})

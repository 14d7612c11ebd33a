import type { JsonObject, StepType } from '@trestle/protocol'
import { describe, expect, test } from 'vitest'
import { drivers } from '../../store/stores.fixture.ts'
import { startTestService } from '../service.fixture.ts'
import { type LegacyStep, toControlValues } from './legacy-template.ts'

const valuesOf = (step: Partial<LegacyStep>) =>
  toControlValues({ type: 'sms', content: {}, rest: {}, place: 'steps.0', ...step })

describe('a v1 step', () => {
  test.each<[string, object, object]>([
    ['sms', { content: 'Hi {{name}}' }, { body: 'Hi {{ payload.name }}' }],
    [
      'email',
      { subject: 'S {{ a.b }}', content: '{{{html}}}' },
      { subject: 'S {{ payload.a.b }}', body: '{{ payload.html | raw }}' },
    ],
    [
      'sms',
      { content: '{{payload.x}} {{subscriber.firstName}} {{ t.key }}' },
      { body: '{{payload.x}} {{subscriber.firstName}} {{ t.key }}' },
    ],
    ['sms', { content: '{% assign x = 1 %}{{ x }}' }, { body: '{% assign x = 1 %}{{ x }}' }],
    ['push', { title: 'T {{n}}', content: 'B' }, { subject: 'T {{ payload.n }}', body: 'B' }],
    // In the format that v2 writes, and in the format that v1 returns.
    ['sms', { body: 'B', content: 'C', skip: true }, { body: 'C', skip: true }],
    ['email', { content: 'B', senderName: 'Ada', _layoutId: 'l' }, { body: 'B', from: { name: 'Ada' }, layoutId: 'l' }],
    ['in_app', { content: 'B', actor: { type: 'none', data: null } }, { body: 'B' }],
    [
      'in_app',
      { content: 'B', actor: { type: 'system_custom', data: 'https://a.test/a.png' } },
      { body: 'B', avatar: 'https://a.test/a.png' },
    ],
    [
      'sms',
      { content: 'B', contentType: 'editor', cta: { action: { buttons: [] } }, active: true, name: 'n' },
      { body: 'B' },
    ],
    ['email', { content: [], subject: 's' }, { subject: 's' }],
    [
      'email',
      {
        content: [
          { type: 'text', content: 'Hi <b>{{n}}</b>', styles: { textAlign: 'center' } },
          { type: 'button', content: 'Go', url: '{{ link }}' },
        ],
      },
      {
        body: '<div style="text-align: center">Hi <b>{{ payload.n }}</b></div>\n<div><a href="{{ payload.link }}">Go</a></div>',
      },
    ],
    [
      'in_app',
      {
        content: 'B',
        cta: {
          type: 'redirect',
          data: { url: '/o/{{id}}' },
          action: {
            buttons: [
              { type: 'primary', content: 'Go' },
              { type: 'secondary', content: 'No', url: '/no' },
            ],
          },
        },
      },
      {
        body: 'B',
        redirect: { url: '/o/{{ payload.id }}' },
        primaryAction: { label: 'Go', redirect: { url: '/o/{{ payload.id }}' } },
        secondaryAction: { label: 'No', redirect: { url: '/no' } },
      },
    ],
    ['in_app', { content: 'B', cta: { type: 'redirect', data: { url: '' }, action: { buttons: [] } } }, { body: 'B' }],
  ])('of type %s with %j has the control values %j', (type, content, values) => {
    expect(valuesOf({ type: type as StepType, content: content as never })).toEqual(values)
  })

  test.each<[object, object]>([
    [
      { type: 'regular', amount: 5, unit: 'minutes' },
      { amount: 5, unit: 'minutes' },
    ],
    [
      { amount: 5, unit: 'minutes', digestKey: 'id' },
      { amount: 5, unit: 'minutes', digestKey: 'payload.id' },
    ],
    [
      { amount: 5, unit: 'minutes', digestKey: 'payload.id' },
      { amount: 5, unit: 'minutes', digestKey: 'payload.id' },
    ],
    [{}, {}],
  ])('waits as its metadata %j defines: %j', (metadata, values) => {
    expect(valuesOf({ type: 'digest', rest: { metadata } })).toEqual(values)
  })

  test('is accepted if unsupported settings are empty or at their defaults', () => {
    const rest = { filters: [{ value: 'AND', children: [] }], variants: [], active: true, shouldStopOnFail: false }
    expect(valuesOf({ rest, content: { content: 'x' } })).toEqual({ body: 'x' })
  })

  test.each<[string, object, JsonObject]>([
    ['filters', { filters: [{ value: 'AND', children: [] }, { children: [{ on: 'payload' }] }] }, {}],
    ['variants', { variants: [{}] }, {}],
    ['active', { active: false }, {}],
    ['shouldStopOnFail', { shouldStopOnFail: true }, {}],
    ['metadata.type', { metadata: { type: 'timed', timed: {} } }, {}],
    ['replyCallback', { replyCallback: { active: true, url: 'https://a.test' } }, {}],
    ['template.active', {}, { active: false }],
    ['template.variables', {}, { variables: [{ name: 'n', defaultValue: 'x' }] }],
    ['template.variables', {}, { variables: [{ name: 'n', required: true }] }],
    ['template.cta', {}, { cta: { data: { url: '/' } } }],
    ['template.actor', {}, { type: 'in_app', actor: { type: 'user' } }],
    ['template.content', {}, { content: [{ type: 'text', content: 'x' }] }],
    ['template.content', {}, { type: 'email', content: [{ type: 'image', url: 'x' }] }],
    ['template', {}, { content: '{{#if name}}x{{/if}}' }],
    ['template', {}, { content: 'x', subject: '{{> part }}' }],
  ])('is rejected for its %s, which would be lost', (field, rest, { type = 'sms', ...content }: JsonObject) => {
    expect(() => valuesOf({ type: type as StepType, rest: rest as never, content })).toThrow(`steps.0.${field}: `)
  })
})

test('a legacy template runs as its author intended', async (context) => {
  const { call } = await startTestService('sqlite', context, { work: true })
  const [group] = (await call('GET', '/v1/notification-groups')).body.data
  const step = { active: true, shouldStopOnFail: false, filters: [], uuid: '78ab8c72-46de-49e4-8464-257085960f9e' }
  const template = { type: 'sms', active: true, variables: [{ name: 'n', type: 'String' }], content: 'Hi {{n}}' }
  const response = await call('POST', '/v1/notification-templates', {
    ...{ name: 'Old', notificationGroupId: group._id, active: true, draft: false, critical: false, tags: [] },
    steps: [{ ...step, template }],
  })
  expect(response).toMatchObject({ status: 201, body: { data: { triggers: [{ identifier: 'old' }] } } })
  const { _id, steps } = response.body.data
  expect(steps).toMatchObject([{ uuid: step.uuid, template: { content: 'Hi {{ payload.n }}' } }])
  expect((await call('PUT', `/v1/notification-templates/${_id}`, { steps })).body.data.steps).toEqual(steps)
  await call('POST', '/v1/events/trigger', {
    name: 'old',
    to: { subscriberId: 'a', phone: '+49' },
    payload: { n: 'Ada' },
  })
  await expect
    .poll(async () => (await call('GET', '/v1/messages')).body.data)
    .toMatchObject([{ channel: 'sms', content: 'Hi Ada' }])
  const filters = [{ value: 'AND', children: [{ on: 'payload', field: 'n', operator: 'EQUAL', value: '1' }] }]
  const refused = await call('PUT', `/v1/workflows/${_id}`, { steps: [{ ...step, filters, template }] })
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['steps.0.filters']])
})

test.for(drivers)(
  'unknown fields of a v1 step are rejected by name, or ignored if empty (%s)',
  async (driver, context) => {
    const { call } = await startTestService(driver, context)
    const [group] = (await call('GET', '/v1/notification-groups')).body.data
    const save = (step: object) =>
      call('POST', '/v1/workflows', { name: 'W', notificationGroupId: group._id, steps: [step] })
    const template = { type: 'sms', content: 'Hi' }
    for (const [step, field] of [
      [{ template, delay: 5 }, 'steps.0.delay'],
      [{ template: { ...template, boddy: 'Hi' } }, 'steps.0.template.boddy'],
      [{ template: { ...template, subject: 'For emails' } }, 'steps.0.template.subject'],
      [{ template: { type: 'email', subject: 's', content: 'c', title: 'For push' } }, 'steps.0.template.title'],
    ] as const) {
      const { status, body } = await save(step)
      expect([status, body.errors]).toMatchObject([
        422,
        { [field]: { messages: ['is not a field of this operation'] } },
      ])
    }
    const { status, headers } = await save({ template: { ...template, subject: '', extra: null }, issues: [] })
    const ignored = 'body.steps.0.issues, body.steps.0.template.subject, body.steps.0.template.extra'
    expect([status, headers.get('ignored-input')?.split(', ').sort()]).toEqual([201, ignored.split(', ').sort()])
  },
)

test('values that only editors of API v2 read are kept when a v1 client updates the steps', async (context) => {
  const { call } = await startTestService('sqlite', context)
  const controlValues = { body: 'Hi', editorType: 'html' }
  const body = { name: 'W', workflowId: 'w', steps: [{ stepId: 's', name: 'S', type: 'email', controlValues }] }
  await call('POST', '/v2/workflows', body)
  const { steps } = (await call('GET', '/v1/workflows/w')).body.data
  expect(steps[0].template).toMatchObject({ type: 'email', content: 'Hi' })
  expect(steps[0].template).not.toHaveProperty('editorType')
  steps[0].template.content = 'Bye'
  expect((await call('PUT', '/v1/workflows/w', { steps })).status).toBe(200)
  const [saved] = (await call('GET', '/v2/workflows/w')).body.steps
  expect(saved.controls.values).toMatchObject({ body: 'Bye', editorType: 'html' })
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createOutbound } from '@trestle/bridge-client'
import type { JsonObject, StepType } from '@trestle/protocol'
import { describe, expect, test } from 'vitest'
import type { BridgeStepCall } from '../bridge/bridge-call.ts'
import { withComposer } from './compose-step.ts'

const hundred = Array.from({ length: 100 }, (_, index) => index)
const long = Array.from({ length: 1001 }, (_, index) => index)
const twice = [{ var: 'accumulator' }, { var: 'accumulator' }]
/** Doubles with each of its forty items, so that the result would not fit in memory. */
const doubling = { reduce: [long.slice(0, 40), { merge: twice }, [1]] }
/** Many repeated names. */
const searching = { or: long.slice(0, 200).map(() => ({ missing_some: [0, { var: 'payload.names' }] })) }
/** The same text, in nested lists. */
const nesting = { cat: [{ reduce: [long.slice(0, 40), twice, 1] }] }
const endless = { map: [hundred, { map: [hundred, { map: [hundred, { var: '' }] }] }] }

const target = {
  environmentId: 'e',
  name: 'Development',
  type: 'dev',
  secretKey: 'sk',
  bridgeUrl: null,
  variables: { REGION: 'eu', TOKEN: 'open-sesame' },
  secretKeys: ['TOKEN'],
  secrets: ['open-sesame'],
} as const
const event = {
  payload: {
    name: '<Ann>',
    items: [{ n: 1 }, { n: 2 }],
    plan: 'free',
    count: 3,
    lang: '{{ payload.name }}',
    long: 'x'.repeat(100_000),
    names: long.slice(0, 900),
  },
  subscriber: { subscriberId: 'ada', firstName: 'Ada' },
  state: [{ stepId: 'collect', outputs: { events: [{ payload: { a: 1 } }] }, state: { status: 'completed' } }],
  jobId: 'job-1',
}
const refuse = () => Promise.reject(new Error('the bridge was asked'))
const neverAsked = { callStep: refuse, callRun: refuse }
const port = withComposer(neverAsked, createOutbound({ allow: ['127.0.0.0/8'] }))

const compose = (
  type: StepType,
  controls: JsonObject,
  more: Partial<BridgeStepCall> & { providers?: JsonObject } = {},
) => {
  const { providers = {}, ...rest } = more
  return port.callStep({
    target,
    bridgeUrl: null,
    action: 'execute',
    workflowId: 'w',
    stepId: 's',
    composed: { type, providers },
    event: { ...event, controls } as never,
    ...rest,
  })
}
const outputsOf = async (type: StepType, controls: JsonObject) => {
  const { reply, failure } = await compose(type, controls)
  expect(failure).toBeUndefined()
  return reply?.outputs
}

describe('a step rendered by the service', () => {
  test.each<[StepType, JsonObject, JsonObject]>([
    ['sms', { body: 'Hi {{ subscriber.firstName }}, {{payload.count}}' }, { body: 'Hi Ada, 3' }],
    ['push', { subject: '{{ payload.plan | upcase }}', body: 'b' }, { subject: 'FREE', body: 'b' }],
    ['chat', { body: '{% for i in payload.items %}{{ i.n }};{% endfor %}', editorType: 'plain' }, { body: '1;2;' }],
    ['tool', { body: '{{ env.REGION }}' }, { body: 'eu' }],
    [
      'email',
      { subject: '{{ payload.name }}', body: '<p>{{ payload.name }}</p>', editorType: 'html', layoutId: null },
      { subject: '<Ann>', body: '<p>&lt;Ann&gt;</p>', layoutId: null },
    ],
    ['email', { subject: 's', body: '{{ payload.name | raw }}' }, { subject: 's', body: '<Ann>' }],
    [
      'email',
      { subject: 's', body: '{{ payload.name }}', disableOutputSanitization: true },
      { subject: 's', body: '<Ann>' },
    ],
    [
      'in_app',
      {
        body: '{{ steps.collect.events.size }}',
        avatar: null,
        primaryAction: { label: 'Go {{ payload.plan }}', redirect: { url: '/{{ payload.plan }}' } },
        redirect: {},
        data: { plan: '{{ payload.plan }}', n: 1 },
      },
      { body: '1', primaryAction: { label: 'Go free', redirect: { url: '/free' } }, data: { plan: 'free', n: 1 } },
    ],
    [
      'delay',
      { type: 'regular', amount: '{{ payload.count }}', unit: 'days' },
      { type: 'regular', amount: 3, unit: 'days' },
    ],
    ['delay', { type: 'timed', cron: '0 9 * * 1' }, { type: 'timed', cron: '0 9 * * 1' }],
    [
      'digest',
      { amount: 1, unit: 'hours', digestKey: 'payload.plan', lookBackWindow: { amount: 2, unit: 'hours' } },
      { amount: 1, unit: 'hours', digestKey: 'free', lookBackWindow: { amount: 2, unit: 'hours' } },
    ],
    [
      'digest',
      { amount: 1, unit: 'hours', digestKey: 'of {{ payload.plan }}' },
      { amount: 1, unit: 'hours', digestKey: 'of free' },
    ],
    [
      'throttle',
      { type: 'fixed', amount: 5, unit: 'minutes', threshold: 2, throttleKey: 'payload.items' },
      { type: 'fixed', amount: 5, unit: 'minutes', threshold: 2, throttleKey: '[{"n":1},{"n":2}]' },
    ],
    ['email', { subject: 's', body: '{{ payload.name | escape }}' }, { subject: 's', body: '&lt;Ann&gt;' }],
    ['sms', { body: '{{ payload.items }} {{ payload.none }}!' }, { body: '[{"n":1},{"n":2}] !' }],
    ['sms', { body: '{{ payload.items | pluralize: "item" }}' }, { body: '2 items' }],
    // Inserted values are not read as templates, and translations are inserted later.
    [
      'sms',
      { body: '{{ payload.lang }} {{ t.hello }} {% raw %}{{ t.x }}{% endraw %}' },
      { body: '{{ payload.name }} {{ t.hello }} {{ t.x }}' },
    ],
  ])('%s of %j', async (type, controls, outputs) => {
    expect(await outputsOf(type, controls)).toEqual(outputs)
  })

  test.each<[StepType, string]>([
    ['in_app', 'data'],
    ['chat', 'card'],
  ])('%s keeps each custom field of its %s', async (type, name) => {
    const fields = '{"__proto__":{"a":"1"},"b":"2"}'
    const outputs = await outputsOf(type, { body: 'b', [name]: JSON.parse(fields) })
    expect(JSON.stringify(outputs?.[name])).toBe(fields)
  })

  test.each<[StepType, JsonObject, string, string]>([
    ['sms', { body: '{{ payload.' }, 'StepControlCompilationFailedError', '"body"'],
    ['sms', { body: '{{ nobody.name }}' }, 'StepControlCompilationFailedError', 'no variable "nobody"'],
    ['sms', { body: '{{ payload.name | nothing }}' }, 'StepControlCompilationFailedError', 'nothing'],
    ['sms', { body: '{% include "/etc/passwd" %}' }, 'StepControlCompilationFailedError', 'include'],
    ['sms', { body: '{% for i in (1..100000000) %}x{% endfor %}' }, 'StepControlCompilationFailedError', 'limit'],
    ['sms', {}, 'ExecutionEventControlInvalidError', 'body'],
    ['email', { body: 'b' }, 'ExecutionEventControlInvalidError', 'subject'],
    [
      'email',
      { subject: 's', body: '{"type":"doc"}', editorType: 'block' },
      'ExecutionEventControlInvalidError',
      'block editor',
    ],
    ['in_app', {}, 'ExecutionEventControlInvalidError', 'a subject or a body'],
    ['delay', { amount: 'soon', unit: 'days' }, 'ExecutionEventControlInvalidError', 'amount must be a number'],
    ['digest', { amount: 1, unit: 'moons' }, 'ExecutionEventControlInvalidError', 'unit must be a unit of time'],
    ['sms', { body: 'b', skip: { nonsense: [] } }, 'ExecutionEventControlInvalidError', 'operator "nonsense"'],
    ['sms', { body: 'b', skip: endless }, 'ExecutionEventControlInvalidError', 'more than 100000 steps'],
    ['sms', { body: 'b', skip: doubling }, 'ExecutionEventControlInvalidError', 'more than 100000 steps'],
    ['sms', { body: 'b', skip: nesting }, 'ExecutionEventControlInvalidError', 'more than 100000 steps'],
    ['sms', { body: 'b', skip: searching }, 'ExecutionEventControlInvalidError', 'more than 100000 steps'],
    ['sms', { body: 'b', skip: { max: long } }, 'ExecutionEventControlInvalidError', 'at most 1000 operands'],
  ])('%s of %j fails with a reason', async (type, controls, code, words) => {
    const { reply, failure, record } = await compose(type, controls)
    expect(reply).toBeUndefined()
    expect(failure?.code).toBe(code)
    expect(failure?.message).toContain(words)
    expect(record.status).toBe(failure?.status)
  })

  test.each([
    [{ '==': [{ var: 'payload.plan' }, 'free'] }, true],
    [{ '!=': [{ var: 'payload.plan' }, 'free'] }, false],
    [{ and: [{ '>': [{ var: 'payload.count' }, 2] }, { '<=': [1, { var: 'payload.count' }, 3] }] }, true],
    [{ or: [{ '==': [{ var: 'subscriber.email' }, null] }, false] }, true],
    [{ '!': [{ var: 'payload.nothing' }] }, true],
    [{ in: ['re', { var: 'payload.plan' }] }, true],
    [{ in: [{ var: 'payload.plan' }, ['paid', 'free']] }, true],
    [{ '==': [{ var: 'payload.count' }, '3'] }, true],
    [{ '===': [{ var: 'payload.count' }, '3'] }, false],
    [{ '<': [{ var: 'payload.nothing' }, 1] }, true],
    [{ '>': [{ var: 'payload.nothing' }, 1] }, false],
    [{ '==': [{ '+': ['1', 2, 3] }, 6] }, true],
    [{ '==': [{ '-': [2] }, -2] }, true],
    [{ '==': [{ '%': [101, 2] }, 1] }, true],
    [{ '==': [{ '/': [{ '*': [4, 3] }, 2] }, 6] }, true],
    [{ '==': [{ max: [1, { var: 'payload.count' }, 2] }, 3] }, true],
    [{ '==': [{ min: [1, 2] }, 1] }, true],
    [{ '==': [{ cat: ['I love ', 'pie'] }, 'I love pie'] }, true],
    [{ '==': [{ substr: ['jsonlogic', 4] }, 'logic'] }, true],
    [{ '==': [{ substr: ['jsonlogic', -5, 2] }, 'lo'] }, true],
    [{ '==': [{ substr: ['jsonlogic', 4, -2] }, 'log'] }, true],
    [{ '?:': [false, true, { var: 'payload.plan' }] }, true],
    [{ some: [[-1, 0, 1], { '>': [{ var: '' }, 0] }] }, true],
    [{ all: [[1, 2, 3], { '>': [{ var: '' }, 1] }] }, false],
    [{ all: [[], true] }, false],
    [{ none: [[1, 2], { '==': [{ var: '' }, 3] }] }, true],
    [{ in: [6, { map: [[1, 2, 3], { '*': [{ var: '' }, 2] }] }] }, true],
    [{ filter: [[1, 2], { '>': [{ var: '' }, 2] }] }, false],
    [{ '==': [{ reduce: [[1, 2, 3], { '+': [{ var: 'current' }, { var: 'accumulator' }] }, 0] }, 6] }, true],
    [{ missing: ['payload.plan', 'payload.count'] }, false],
    [{ missing: { merge: ['payload.plan', ['payload.nothing']] } }, true],
    [{ missing_some: [1, ['payload.plan', 'payload.nothing']] }, false],
    [{ missing_some: [2, ['payload.plan', 'payload.nothing']] }, true],
    [{ if: [{ '==': [1, 2] }, true, { '!!': [[]] }] }, false],
    [{ startsWith: [{ var: 'payload.plan' }, 'fr'] }, true],
    [{ var: 'payload.__proto__' }, false],
    // Reading one value is free, however long it is.
    [{ and: hundred.map(() => ({ notNull: [{ var: 'payload.long' }] })) }, true],
    [{}, false],
    [true, true],
    [false, false],
  ])('is skipped by the rule %j: %s', async (skip, isSkipped) => {
    const { reply } = await compose('sms', { body: 'b', skip })
    expect(reply?.options.skip).toBe(isSkipped)
    // A preview shows the step anyway.
    expect((await compose('sms', { body: 'b', skip }, { action: 'preview' })).reply?.outputs).toEqual({ body: 'b' })
  })

  test('renders provider overrides and reveals no secret', async () => {
    const { reply, record } = await compose(
      'sms',
      { body: '{{ env.TOKEN }}' },
      { providers: { twilio: { from: '{{ payload.count }}' } } },
    )
    expect(reply).toMatchObject({ outputs: { body: 'open-sesame' }, providers: { twilio: { from: '3' } } })
    expect(JSON.stringify(record)).not.toContain('sesame')
  })

  test.each([
    ['{{ t["cart.one"] }}', '{{ t["cart.one"] }}'],
    ['{{ t.a | upcase }} {% raw %}{{ t.b }}{% endraw %}', '{{ t.a | upcase }} {{ t.b }}'],
    ['{{ payload.plan | default: "{{ t.a" }} }}', 'free }}'],
    ['{% capture x %}{{ t.a }}{% endcapture %}{{ x }}', '{{ t.a }}'],
  ])('keeps the translations of %s', async (body, expected) => {
    expect(await outputsOf('sms', { body })).toEqual({ body: expected })
  })

  test.each([
    ['{{ t.hi }} {{ payload.x | nope }}', 'undefined filter: nope', 1, 12],
    ['a\n{% if t.hi %}x{% endif %}', 'a translation must be written as {{ t.key }}', 2, 7],
    ['{{ t[payload.x] }}', 'the key of a translation must be written in the template', undefined, undefined],
    ['{{ payload.x', 'output "{{ payload.x" not closed. Write literal braces as {% raw %}', 1, 1],
  ])('names the place of the error in %j', async (body, message, line, column) => {
    const { failure } = await compose('sms', { body })
    expect(failure?.data).toMatchObject({ path: '/body', message: expect.stringContaining(message) })
    expect(failure?.data).toMatchObject(line === undefined ? {} : { line, column })
  })

  test.each([
    ['nodemailer', { html: '<p>Hi {{ payload.markup }}</p>' }, { html: '<p>Hi &lt;b&gt;x&lt;/b&gt;</p>' }],
    ['nodemailer', { text: 'Hi {{ payload.markup }}' }, { text: 'Hi <b>x</b>' }],
    ['postmark', { HtmlBody: '{{ payload.markup | raw }}' }, { HtmlBody: '<b>x</b>' }],
    ['ses', { Body: { Html: { Data: '{{ payload.markup }}' } } }, { Body: { Html: { Data: '&lt;b&gt;x&lt;/b&gt;' } } }],
  ])('escapes values in the HTML of an override for %s: %j', async (id, override, expected) => {
    const payload = { markup: '<b>x</b>' }
    const controls = { subject: 's', body: 'b' }
    const given = { event: { ...event, controls, payload }, providers: { [id]: override } } as never
    const { reply } = await compose('email', controls, given)
    expect(reply?.providers).toEqual({ [id]: expected })
  })

  test('rejects a script as a link in the HTML of an override', async () => {
    const providers = { nodemailer: { html: '<a href="{{ payload.link }}">x</a>' } }
    const controls = { subject: 's', body: 'b' }
    const payload = { link: 'javascript:alert(1)' }
    const { failure } = await compose('email', controls, { event: { ...event, controls, payload }, providers } as never)
    expect(failure?.message).toContain('nodemailer.html: ')
  })

  test('leaves steps of a bridge unchanged', async () => {
    await expect(compose('sms', {}, { composed: undefined })).rejects.toThrow('the bridge was asked')
  })
})

describe('URLs in a step rendered by the service', () => {
  const bad = [
    'javascript:alert(1)',
    ' JaVa\tScRiPt:alert(1)',
    '\u0001javascript:x',
    'data:text/html,<script>',
    'vbscript:x',
  ]
  const link = (url: string) => ({ ...event, payload: { u: url } })
  const failureOf = async (type: StepType, controls: JsonObject, url: string) =>
    (await compose(type, controls, { event: { ...link(url), controls } as never })).failure

  test.each<[StepType, JsonObject, string]>([
    ['in_app', { body: 'b', redirect: { url: '{{ payload.u }}' } }, 'redirect.url'],
    ['in_app', { body: 'b', primaryAction: { label: 'L', redirect: { url: '{{ payload.u }}' } } }, 'primaryAction'],
    ['in_app', { body: 'b', secondaryAction: { label: 'L', redirect: { url: '{{ payload.u }}' } } }, 'secondaryAction'],
    ['in_app', { body: 'b', avatar: '{{ payload.u }}' }, 'avatar'],
    ['in_app', { body: '<a href="{{ payload.u }}">x</a>' }, '"href"'],
    ['in_app', { body: "<img alt='>' src='{{ payload.u }}'>" }, '"src"'],
    ['in_app', { body: '<p title="a\'b"><A\nHREF = "{{ payload.u }}">x</a>' }, '"href"'],
    ['in_app', { body: '<svg><a xlink:href="{{ payload.u | append: "!" }}">x</a></svg>' }, '"xlink:href"'],
    ['email', { subject: 's', body: '<a class=x href="{{ payload.u }}">x</a>' }, '"href"'],
    ['email', { subject: 's', body: '<form action="{{ payload.u | raw }}"></form>' }, '"action"'],
    ['email', { subject: 's', body: '<!--[if mso]><a href="{{ payload.u }}">x</a><![endif]-->' }, '"href"'],
    ['email', { subject: 's', body: '<a href="java&#x73;cript&colon;x">{{ payload.u }}</a>' }, '"href"'],
  ])('%s of %j cannot be scripts', async (type, controls, words) => {
    for (const url of bad) {
      const failure = await failureOf(type, controls, url)
      expect([url, failure?.code]).toEqual([url, 'ExecutionEventControlInvalidError'])
      expect(failure?.message).toContain(words)
    }
  })

  test.each(['//evil.example', '/\\evil.example', 'ftp://a.example', 'a b', 'mailto:a@b.example', 'orders/7'])(
    'of a redirect cannot be %j',
    async (url) => {
      expect((await failureOf('in_app', { body: 'b', redirect: { url: '{{ payload.u }}' } }, url))?.message).toContain(
        'redirect.url must start with "https://", "http://" or a single "/"',
      )
    },
  )

  test.each<StepType>(['in_app', 'email'])('in an unquoted attribute add no other attribute to %s', async (type) => {
    const controls = { subject: 's', body: '<p title={{ payload.u }} onclick="own()">x</p>' }
    for (const url of ['x onload=y', 'x\nONMOUSEOVER="y"'])
      expect(await failureOf(type, controls, url)).toMatchObject({
        code: 'ExecutionEventControlInvalidError',
        message: expect.stringContaining('needs quotes around it'),
      })
    for (const url of ['x', 'x class=y', 'onload=y']) expect(await failureOf(type, controls, url)).toBeUndefined()
  })

  test('with harmless schemes or outside attributes stay unchanged', async () => {
    const body =
      '<a href="https://a.example/?q=javascript:x">1</a> <a href=/orders/7>2</a> <a href="mailto:a@b.example">3</a> ' +
      '<img src="data:image/png;base64,AAAA"> <a href="{{ t.link | default: "/x" }}">4</a> javascript:x href="javascript:x"'
    expect(await outputsOf('in_app', { body })).toEqual({ body })
    const mail = `${body} <img src="cid:logo"><a href="myapp://orders/7">5</a>`
    expect(await outputsOf('email', { subject: 's', body: mail })).toMatchObject({ body: mail })
    const script = '<a href="javascript:x">as it was written</a>'
    const asWritten = { body: script, disableOutputSanitization: true }
    expect(await outputsOf('in_app', asWritten)).toEqual({ body: script })
    for (const url of ['https://a.example/7?x=1', 'http://a.example', '/orders/7', '/']) {
      const controls = { body: 'b', avatar: 'https://a.example/a.png', redirect: { url, target: '_blank' } }
      expect(await outputsOf('in_app', controls)).toEqual(controls)
    }
  })

  test('are found in a long body quickly', async () => {
    const started = process.cpuUsage().user / 1000
    for (const piece of ['<a ', '<a href=', '<!--', '<a b="', "<a b=' ", '< a', '&#', '<a/ ='])
      await compose('in_app', { body: piece.repeat(200_000 / piece.length) })
    expect(process.cpuUsage().user / 1000 - started).toBeLessThan(5000)
  })
})

describe('a step that sends a request', () => {
  const serve = async (status: number, answer: string) => {
    const seen: { method?: string; url?: string; headers?: JsonObject; body?: string }[] = []
    const server = createServer(async (request, response) => {
      const { method = '', url = '', headers } = request
      seen.push({ method, url, headers, body: await text(request) })
      response.writeHead(status).end(answer)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/of/{{ payload.plan }}`
    return { url, seen, [Symbol.asyncDispose]: async () => void server.close() }
  }
  const headers = [{ key: 'X-Of', value: '{{ subscriber.firstName }}' }]

  test('stores the object in the response', async () => {
    await using server = await serve(200, '{"score":7}')
    const body = [{ key: 'name', value: '{{ payload.name }}' }]
    expect(await outputsOf('http_request', { method: 'POST', url: server.url, headers, body })).toEqual({ score: 7 })
    expect(server.seen).toMatchObject([
      {
        method: 'POST',
        url: '/of/free',
        body: '{"name":"<Ann>"}',
        headers: { 'x-of': 'Ada', 'idempotency-key': 'job-1' },
      },
    ])
    const preview = await compose('http_request', { method: 'GET', url: server.url }, { action: 'preview' })
    expect(preview.reply?.outputs).toMatchObject({
      method: 'GET',
      url: server.url.replace('{{ payload.plan }}', 'free'),
    })
    expect(server.seen).toHaveLength(1)
  })

  test.each([
    [500, '', {}, 'status 500'],
    [
      200,
      '{"score":"high"}',
      { enforceSchemaValidation: true, responseBodySchema: { properties: { score: { type: 'number' } } } },
      'does not match its schema: score',
    ],
  ])('with the response %i %s fails, unless it continues on failure', async (status, answer, more, words) => {
    await using server = await serve(status, answer)
    const controls = { method: 'GET', url: server.url, ...more }
    const { failure } = await compose('http_request', controls)
    expect(failure).toMatchObject({ code: 'StepExecutionFailedError', status: 502 })
    expect(failure?.message).toContain(words)
    expect(await outputsOf('http_request', { ...controls, continueOnFailure: true })).toEqual({})
  })

  test.each([
    ['GET', 'q=1'],
    ['HEAD', [{ key: 'q', value: '1' }]],
  ])('with the method %s cannot have a body', async (method, body) => {
    await using server = await serve(200, '{}')
    for (const more of [{}, { continueOnFailure: true }]) {
      const { failure } = await compose('http_request', { method, url: server.url, body, ...more })
      expect(failure).toMatchObject({ code: 'ExecutionEventControlInvalidError', data: [{ path: '/body' }] })
      expect(failure?.message).toContain(`body is not sent with ${method}`)
    }
    expect(server.seen).toEqual([])
    for (const empty of ['', []]) await outputsOf('http_request', { method, url: server.url, body: empty })
    expect(server.seen).toMatchObject([{ method, body: '' }, { method }])
  })

  test('cannot reach a private address', async () => {
    const { failure } = await compose('http_request', { method: 'GET', url: 'http://10.0.0.1/' })
    expect(failure?.message).toContain('PRIVATE_IP')
    expect((await compose('http_request', { method: 'GO', url: 'x' })).failure?.code).toBe(
      'ExecutionEventControlInvalidError',
    )
  })
})

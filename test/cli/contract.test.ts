import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Step, workflow } from '@trestle/core'
import { startService } from '@trestle/service'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { bridgeHandler, key, type Listening, listen } from './listen.ts'
import { trestle } from './trestle.ts'

const folder = mkdtempSync(join(tmpdir(), 'trestle-contract-'))
let handler = handlerOf([])
let bridge: Listening
const on = () => ['--bridge', `${bridge.origin}/api/bridge`, '--key', key]

function handlerOf(workflows: Parameters<typeof bridgeHandler>[0]['workflows']) {
  return bridgeHandler({ workflows: workflows ?? [] })
}

/** The released workflow, with changes. */
function order(
  change: {
    payload?: object
    steps?: readonly string[]
    first?: 'sms' | 'push' | 'custom'
    required?: boolean
    control?: string
    id?: string
  } = {},
) {
  const { payload = {}, steps = ['tell', 'mail'], first = 'sms', id = 'order', control = 'footer' } = change
  const extra: object = { [control]: z.boolean().default(true) }
  return workflow(
    id,
    async ({ step }) => {
      for (const stepId of steps) {
        if (stepId === 'mail')
          await step.email('mail', ({ subject }) => ({ subject, body: '<p>Hello</p>' }), {
            controlSchema: z
              .object({ subject: change.required ? z.string().min(3) : z.string().default('Hi') })
              .extend(extra),
          })
        else if (first === 'custom') await step.custom(stepId, async () => ({}))
        else if (first === 'push') await step.push(stepId, () => ({ subject: 'a', body: 'b' }))
        else await step.sms(stepId, () => ({ body: 'b' }))
      }
    },
    {
      payloadSchema: z.strictObject({
        id: z.string(),
        kind: z.enum(['new', 'old']),
        count: z.number().max(9).optional(),
        ...payload,
      }),
    },
  )
}
const other = workflow('other', async ({ step }) => {
  await step.sms('text', () => ({ body: 'a' }))
})

beforeAll(async () => {
  bridge = await listen((request, response) => handler(request, response))
})
afterAll(async () => {
  await bridge.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe('trestle diff', () => {
  const diff = async (workflows: Parameters<typeof handlerOf>[0], argv: readonly string[] = []) => {
    handler = handlerOf(workflows)
    const { status, stdout } = await trestle(['diff', ...on(), '--json', ...argv], { cwd: folder })
    return { status, ...JSON.parse(stdout) }
  }

  test('requires a lock file, writes the same one for any order of workflows, and then finds no changes', async () => {
    rmSync(join(folder, 'trestle.lock.json'), { force: true })
    expect((await diff([order()])).error.fix).toContain('--write')
    expect(await diff([order(), other], ['--write'])).toMatchObject({ status: 0, written: true })
    const first = readFileSync(join(folder, 'trestle.lock.json'), 'utf8')
    expect(await diff([other, order()], ['--write'])).toMatchObject({ status: 0, written: false })
    expect(readFileSync(join(folder, 'trestle.lock.json'), 'utf8')).toBe(first)
    expect(await diff([other, order()])).toEqual({ status: 0, version: 1, breaking: false, changes: [] })
  })

  test.each<[string, string, Parameters<typeof handlerOf>[0], string, RegExp]>([
    ['a lost workflow', 'breaking', [order()], '', /workflow was removed/],
    ['a removed step', 'breaking', [order({ steps: ['mail'] }), other], 'steps', /was removed: .*StepNotFoundError/],
    ['a renamed step', 'breaking', [order({ steps: ['told', 'mail'] }), other], 'steps', /renamed to told/],
    ['another kind of step', 'breaking', [order({ first: 'push' }), other], 'type', /was sms, is push/],
    [
      'a newly required field',
      'breaking',
      [order({ payload: { more: z.string() } }), other],
      'payload/more',
      /required/,
    ],
    [
      'a narrowed enum',
      'breaking',
      [order({ payload: { kind: z.enum(['new']) } }), other],
      'payload/kind',
      /"old" is not accepted/,
    ],
    [
      'another type',
      'breaking',
      [order({ payload: { id: z.number() } }), other],
      'payload/id',
      /type must now be number/,
    ],
    [
      'a tighter limit',
      'breaking',
      [order({ payload: { count: z.number().max(8).optional() } }), other],
      'payload/count',
      /maximum is now 8/,
    ],
    [
      'a removed field',
      'breaking',
      [
        workflow(
          'order',
          async ({ step }) => {
            await step.sms('tell', () => ({ body: 'b' }))
            await step.email('mail', ({ subject }) => ({ subject, body: 'x' }), {
              controlSchema: z.object({ subject: z.string().default('Hi') }),
            })
          },
          { payloadSchema: z.strictObject({ id: z.string(), kind: z.enum(['new', 'old']) }) },
        ),
        other,
      ],
      'payload/count',
      /is now rejected/,
    ],
    ['narrower controls', 'breaking', [order({ required: true }), other], 'controls/subject', /required|length/],
    [
      'a renamed control',
      'breaking',
      [order({ control: 'showFooter' }), other],
      'controls/footer',
      /removed or renamed to showFooter: its saved values are ignored/,
    ],
    [
      'an optional field',
      'safe',
      [order({ payload: { note: z.string().optional() } }), other],
      'payload',
      /accepts everything it accepted before/,
    ],
    [
      'a wider enum',
      'safe',
      [order({ payload: { kind: z.enum(['new', 'old', 'used']) } }), other],
      'payload',
      /accepts everything it accepted before/,
    ],
    ['a new workflow', 'safe', [order(), other, order({ id: 'third' })], '', /is new/],
    ['a new last step', 'safe', [order({ steps: ['tell', 'mail', 'more'] }), other], 'steps', /is new/],
    [
      'a new first step',
      'notice',
      [order({ steps: ['more', 'tell', 'mail'] }), other],
      'steps',
      /added before existing/,
    ],
    ['another order', 'notice', [order({ steps: ['mail', 'tell'] }), other], 'steps', /order of the steps/],
  ])('classifies %s as %s', async (_what, kind, workflows, path, message) => {
    await diff([order(), other], ['--write'])
    const { changes, status, breaking } = await diff(workflows)
    expect(changes, JSON.stringify(changes)).toContainEqual(
      expect.objectContaining({ kind, path, message: expect.stringMatching(message) }),
    )
    const isBreaking = kind === 'breaking'
    expect([status, breaking, changes.some((change: { kind: string }) => change.kind === 'breaking')]).toEqual([
      isBreaking ? 1 : 0,
      isBreaking,
      isBreaking,
    ])
  })

  test('compares with another bridge, and prints readable lines', async () => {
    const production = await listen(bridgeHandler({ workflows: [order(), other] }))
    handler = handlerOf([order({ payload: { more: z.string() } }), other])
    const { status, stdout, stderr } = await trestle(
      ['diff', ...on(), '--against', `${production.origin}/api/bridge`],
      { cwd: folder },
    )
    await production.stop()
    expect(stdout).toMatch(/^breaking +order › payload\/more: more is now required$/m)
    expect(stdout).toContain('1 of 1 changes breaks something.')
    expect(stderr).toContain('--write')
    expect(status).toBe(1)
  })

  test('rejects an invalid lock file', async () => {
    for (const text of ['{', '{}', '{"version":2,"workflows":[],"agents":[]}', '[]']) {
      writeFileSync(join(folder, 'broken.json'), text)
      const { status, error } = await diff([order()], ['--lock', 'broken.json'])
      expect([status, error.fix]).toEqual([1, expect.stringContaining('--write')])
    }
  })
})

describe('trestle types', () => {
  const compile = (files: Record<string, string>): readonly string[] => {
    const place = mkdtempSync(join(tmpdir(), 'trestle-types-'))
    for (const [name, text] of Object.entries(files)) writeFileSync(join(place, name), text)
    const options: ts.CompilerOptions = {
      strict: true,
      noEmit: true,
      exactOptionalPropertyTypes: true,
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      types: [],
      skipLibCheck: true,
      paths: { '@trestle/api-client': [join(import.meta.dirname, '../../packages/api-client/dist/index.d.ts')] },
    }
    const diagnostics = ts.getPreEmitDiagnostics(
      ts.createProgram(
        Object.keys(files).map((name) => join(place, name)),
        options,
      ),
    )
    rmSync(place, { recursive: true, force: true })
    return diagnostics.map(
      ({ messageText, start = 0, file }) =>
        `${file?.text.slice(0, start).split('\n').length}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    )
  }

  test('type a trigger in another code base, over the real client', async () => {
    handler = handlerOf([order(), other])
    const { stdout, status } = await trestle(['types', ...on()], { cwd: folder })
    expect(status).toBe(0)
    const use = (line: string): string => `import { createApiClient } from '@trestle/api-client'
import { createTrigger, type WorkflowId } from './workflows.js'
const trigger = createTrigger(createApiClient({ secretKey: 'k', apiUrl: 'https://api.example.com' }))
export const id: WorkflowId = 'order'
export const { transactionId } = await ${line}
`
    const check = (line: string) =>
      compile({ 'workflows.ts': stdout, 'use.mts': use(line), 'package.json': '{"type":"module"}' })
    expect(check("trigger('order', { id: '7', kind: 'new' }, { to: 'ada' })")).toEqual([])
    expect(check("trigger('other', { anything: 1 }, { to: { subscriberId: 'ada' } })")).toEqual([])
    for (const wrong of [
      "trigger('ordr', { id: '7', kind: 'new' }, { to: 'ada' })",
      "trigger('order', { id: 7, kind: 'new' }, { to: 'ada' })",
      "trigger('order', { id: '7', kind: 'used' }, { to: 'ada' })",
      "trigger('order', { id: '7' }, { to: 'ada' })",
      "trigger('order', { id: '7', kind: 'new', extra: 1 }, { to: 'ada' })",
      "trigger('order', { id: '7', kind: 'new' })",
    ])
      expect(check(wrong), wrong).toEqual([expect.stringMatching(/^5: /)])
  }, 120_000)

  test('request the header with the given name, and no other', async () => {
    const seen: (readonly string[])[] = []
    const answer = handlerOf([order()])
    handler = (request, response) => {
      seen.push(Object.keys(request.headers).filter((name) => /sig/.test(name)))
      answer(request, response)
    }
    await trestle(['types', ...on(), '--signature-header', 'X-Sig'], { cwd: folder })
    await trestle(['types', ...on()], { cwd: folder })
    expect([seen[0], seen.at(-1)]).toEqual([['x-sig'], ['service-signature', 'novu-signature']])
    const wrong = await trestle(['types', ...on(), '--signature-header', 'a b'], { cwd: folder })
    expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining('takes a header name')])
  })

  test('are written to a file (declarations only for .d.ts), regardless of the order of the workflows', async () => {
    handler = handlerOf([order(), other])
    await trestle(['types', ...on(), '--out', 'a.ts'], { cwd: folder })
    handler = handlerOf([other, order()])
    await trestle(['types', ...on(), '--out', 'b.ts'], { cwd: folder })
    await trestle(['types', ...on(), '--out', 'c.d.ts'], { cwd: folder })
    const [a, b, c] = ['a.ts', 'b.ts', 'c.d.ts'].map((name) => readFileSync(join(folder, name), 'utf8'))
    expect(a).toBe(b)
    expect(a).toContain('export function createTrigger')
    expect(c).not.toContain('function')
    expect(compile({ 'c.d.ts': c ?? '' })).toEqual([])
  })

  test('also come from a service, with the same payloads', async () => {
    handler = handlerOf([order(), other])
    const service = await startService({
      port: 0,
      databaseFile: ':memory:',
      encryptionKey: 'ab'.repeat(32),
      secretKeys: { Development: key },
      logLevel: 'silent',
    })
    try {
      const at = ['--api', service.url, '--key', key]
      expect((await trestle(['sync', ...on(), '--api', service.url])).status).toBe(0)
      const [fromService, fromBridge] = await Promise.all([trestle(['types', ...at]), trestle(['types', ...on()])])
      const payloadsOf = (text: string) =>
        /interface WorkflowPayloads \{[\s\S]*?^\}/m.exec(text)?.[0].replaceAll(/ *\/\*\*.*\*\/\n/g, '')
      expect(payloadsOf(fromService.stdout)).toBe(payloadsOf(fromBridge.stdout))
    } finally {
      await service.stop()
    }
  })
})

describe('trestle sync', () => {
  test('prints what was added, changed and removed, for any service', async () => {
    const service = await startService({
      port: 0,
      databaseFile: ':memory:',
      encryptionKey: 'ab'.repeat(32),
      secretKeys: { Development: key },
      logLevel: 'silent',
    })
    const sync = async (workflows: Parameters<typeof handlerOf>[0]) => {
      handler = handlerOf(workflows)
      return trestle(['sync', ...on(), '--api', service.url])
    }
    try {
      expect((await sync([order(), other])).stdout).toMatch(/synced 2 workflows of/)
      expect((await sync([order(), other])).stdout).toMatch(/nothing has changed/)
      const { stdout, status } = await sync([order({ payload: { more: z.string() } })])
      expect(stdout).toMatch(/breaking +order › payload\/more: more is now required/)
      expect(stdout).toMatch(/breaking +other: the workflow was removed/)
      expect(status).toBe(0)
    } finally {
      await service.stop()
    }
  })

  test('prints warnings, and fails for a service that supports only listed steps if a list is incomplete', async () => {
    const notify = async (step: Step, id: string): Promise<unknown> => step.sms(id, () => ({ body: 'b' }))
    const handed = workflow('handed', async ({ step }) => {
      await notify(step, 'a')
    })
    handler = handlerOf([other, handed])
    const service = await startService({
      port: 0,
      databaseFile: ':memory:',
      encryptionKey: 'ab'.repeat(32),
      secretKeys: { Development: key },
      logLevel: 'silent',
    })
    try {
      const plain = await trestle(['sync', ...on(), '--api', service.url])
      expect([plain.status, plain.stdout]).toEqual([0, expect.stringContaining('synced 2 workflows')])
      expect(plain.stderr).not.toContain('incomplete Workflow')
      const listed = await trestle(['sync', ...on(), '--api', service.url, '--listed'])
      expect(listed.status).toBe(1)
      expect(listed.stderr).toMatch(/incomplete Workflow "handed" may call steps that are not listed/)
      expect(listed.stderr).not.toContain('"other"')
    } finally {
      await service.stop()
    }
    const types = await trestle(['types', ...on(), '--listed'])
    expect([types.status, types.stdout]).toEqual([1, expect.stringContaining('handed')])
    expect((await trestle(['types', ...on()])).status).toBe(0)
  })

  test.each([
    ['http://user:word@127.0.0.1:1/api/bridge', 'CREDENTIALS_IN_URL', 'bridgeUrl: embedded credentials not allowed'],
    ['http://10.0.0.1/api/bridge', 'PRIVATE_IP', 'private or reserved IP address not allowed (10.0.0.1)'],
    ['http://metadata.google.internal/', 'BLOCKED_HOSTNAME', 'bridgeUrl: host not allowed'],
    ['http://127.0.0.1:1/api/bridge', 'ECONNREFUSED', 'is unavailable'],
    ['wrong-key', 'SignatureMismatchError', 'does not match'],
    ['twice', 'WorkflowAlreadyExistsError', 'Two workflows have the id'],
  ])('reports the specified code even if the service does not return it: %s', async (url, code, message) => {
    const service = await startService({
      port: 0,
      databaseFile: ':memory:',
      encryptionKey: 'ab'.repeat(32),
      secretKeys: { Development: key },
      logLevel: 'silent',
    })
    handler =
      url === 'wrong-key'
        ? bridgeHandler({ workflows: [order()], secretKey: 'sk_of_another_environment' })
        : handlerOf([order(), order()])
    try {
      const bridgeUrl = url.startsWith('http') ? url : `${bridge.origin}/api/bridge`
      const { status, stdout } = await trestle([
        'sync',
        '--bridge',
        bridgeUrl,
        '--api',
        service.url,
        '--key',
        key,
        '--json',
      ])
      const { error } = JSON.parse(stdout)
      expect(error).toMatchObject({ code, message: expect.stringContaining(message) })
      expect(Math.min(error.why.length, error.fix.length)).toBeGreaterThan(10)
      expect(status).toBe(1)
    } finally {
      await service.stop()
    }
  })

  test('reports that the service does not accept the key', async () => {
    const service = await startService({
      port: 0,
      databaseFile: ':memory:',
      encryptionKey: 'ab'.repeat(32),
      secretKeys: { Development: key },
      logLevel: 'silent',
    })
    const { status, stdout } = await trestle([
      'sync',
      ...on().slice(0, 2),
      '--api',
      service.url,
      '--key',
      'sk_another_key_altogether',
      '--json',
    ])
    await service.stop()
    expect(JSON.parse(stdout).error.code).toBe('Unauthorized')
    expect(status).toBe(1)
  })
})

describe('trestle preview', () => {
  let charges = 0
  let requests = 0
  const html = workflow(
    'a/b <i>',
    async ({ step, payload }) => {
      await step.email('mail', () => ({
        subject: `To ${payload.name}`,
        body: `<script>alert(1)</script><p>Dear ${payload.name}</p>`,
      }))
      await step.sms('text', () => ({ body: `€ ${payload.name}` }))
      await step.inApp('bell', () => ({
        body: payload.name,
        primaryAction: { label: 'Open', redirect: { url: 'https://example.com' } },
      }))
      await step.sms('broken', async () => {
        if (payload.name === 'Bob') throw new Error('no Bob')
        return { body: 'whole' }
      })
      await step.custom('charge', async () => ({ charges: ++charges }))
      await step.httpRequest('ask', async () => ({ requests: ++requests }))
    },
    { payloadSchema: z.object({ name: z.string() }) },
  )

  test('runs the handler of a step that stores data only if the step is named', async () => {
    handler = handlerOf([html])
    const place = join(folder, 'custom')
    mkdirSync(place, { recursive: true })
    for (const argv of [['preview', '--all'], ['preview', 'a/b <i>'], ['doctor']])
      await trestle([...argv, ...on()], { cwd: place })
    expect([charges, requests]).toEqual([0, 0])
    for (const stepId of ['charge', 'ask'])
      expect((await trestle(['preview', 'a/b <i>', stepId, ...on()], { cwd: place })).status).toBe(0)
    expect([charges, requests]).toEqual([1, 1])
  })

  test('writes a page per step with its named fixtures, and an index, with app content isolated in frames', async () => {
    handler = handlerOf([html, other])
    const place = join(folder, 'previews-app')
    mkdirSync(join(place, 'fixtures'), { recursive: true })
    const fixtures = {
      ada: { payload: { name: '"></iframe><script>alert(2)</script>' } },
      bob: { payload: { name: 'Bob' } },
    }
    writeFileSync(join(place, 'fixtures', `${encodeURIComponent('a/b <i>')}.json`), JSON.stringify(fixtures))
    writeFileSync(join(place, 'fixtures', 'gone.json'), '{}')
    const { status, stdout, stderr } = await trestle(['preview', '--all', '--out', 'out', ...on(), '--json'], {
      cwd: place,
    })
    const { files, previews, failed } = JSON.parse(stdout)
    expect(stderr).toContain('gone.json')
    expect(previews).toBe(9)
    expect(failed).toEqual([
      expect.objectContaining({ stepId: 'broken', fixture: 'bob', code: 'StepExecutionFailedError' }),
    ])
    expect(status).toBe(1)
    expect(
      readdirSync(join(place, 'out'), { recursive: true })
        .filter((name) => String(name).endsWith('.html'))
        .sort(),
    ).toEqual([...files].sort())
    const mail = readFileSync(join(place, 'out/a-b-i/mail.html'), 'utf8')
    expect(mail).toContain('<h3>ada</h3>')
    expect(mail).toContain('<h3>bob</h3>')
    expect(mail).not.toMatch(/<script/)
    expect(mail).toContain('sandbox=""')
    expect(readFileSync(join(place, 'out/a-b-i/text.html'), 'utf8')).toContain('1 segment, GSM-7')
    expect(readFileSync(join(place, 'out/a-b-i/broken.html'), 'utf8')).toContain('no Bob')
    const index = readFileSync(join(place, 'out/index.html'), 'utf8')
    for (const [, link = ''] of index.matchAll(/href="([^"]+)"/g))
      expect(existsSync(join(place, 'out', decodeURI(link)))).toBe(true)
  })

  test('shows the examples of a payload schema or a sample, optionally for one workflow or step only', async () => {
    handler = handlerOf([
      workflow(
        'with',
        async ({ step, payload }) => {
          await step.sms('text', () => ({ body: `for ${payload.id}` }))
          await step.push('push', () => ({ subject: 'a', body: 'b' }))
        },
        {
          payloadSchema: z
            .object({ id: z.string() })
            .meta({ examples: [{ id: 'first-example' }, { id: 'second-example' }] }),
        },
      ),
      other,
    ])
    const { stdout } = await trestle(['preview', 'with', 'text', '--out', 'some', ...on(), '--json'], { cwd: folder })
    expect(JSON.parse(stdout)).toMatchObject({ files: ['index.html', 'with/text.html'], previews: 2, failed: [] })
    const page = readFileSync(join(folder, 'some/with/text.html'), 'utf8')
    expect(page).toMatch(/for first-example[\s\S]*for second-example/)
    await trestle(['preview', 'other', '--out', 'some', ...on()], { cwd: folder })
    expect(readFileSync(join(folder, 'some/other/text.html'), 'utf8')).toContain('<h3>sample</h3>')
  })

  test.each([
    ['[]', 'contains no fixtures'],
    ['{ "payload": { "name": "Ada" } }', '"<name of the fixture>"'],
    ['{ "a": 1 }', 'must be an object'],
    ['{ "a": { "paylod": {} } }', 'Did you mean payload?'],
    ['{', 'is not valid JSON'],
  ])('rejects the fixtures %s', async (text, said) => {
    handler = handlerOf([other])
    const place = join(folder, 'wrong-fixtures')
    mkdirSync(place, { recursive: true })
    writeFileSync(join(place, 'other.json'), text)
    const { status, stderr } = await trestle(['preview', '--all', '--fixtures', place, '--out', 'no', ...on()], {
      cwd: folder,
    })
    expect(stderr).toContain(said)
    expect(status).toBe(1)
  })
})

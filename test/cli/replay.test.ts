import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Step, workflow } from '@trestle/core'
import { type Service, startService } from '@trestle/service'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { bridgeHandler, key, type Listening, listen } from './listen.ts'
import { trestle } from './trestle.ts'

const orderSchema = z.object({ id: z.string(), note: z.string(), cents: z.number() })
type Order = z.infer<typeof orderSchema>

/** A change of the released workflow. */
interface Change {
  readonly subject?: string
  readonly body?: string
  readonly loses?: boolean
  readonly adds?: (step: Step<Order>, payload: Order) => Promise<unknown>
  readonly fails?: 'mail' | 'function'
  readonly disableOutputSanitization?: boolean
  readonly payloadSchema?: z.ZodType<Order>
}

/** Handlers that ran. */
const ran: string[] = []

function order({ subject, body = 'on its way', loses, adds, fails, ...change }: Change = {}) {
  return workflow(
    'order-shipped',
    async ({ step, payload, subscriber }) => {
      const { total } = await step.custom('price', async () => {
        ran.push('price')
        return { total: payload.cents / 100 }
      })
      const inbox = await step.inApp('tell', () => ({ body: `Order ${payload.id}` }))
      await step.delay('wait', () => ({ amount: 1, unit: 'hours' }))
      if (adds) await adds(step, payload)
      if (fails === 'function') throw new Error(`no stock of ${payload.note}`)
      await step.email(
        'mail',
        (controls) => {
          ran.push('mail')
          if (fails === 'mail') throw new Error(`no template for ${payload.note}`)
          return {
            subject: subject ?? controls.subject,
            body: `<p>Dear ${subscriber.firstName}, your order ${payload.id} (${payload.note}, ${total}) is ${body}</p>`,
          }
        },
        {
          controlSchema: z.object({ subject: z.string().default('Your order {{ payload.id }}') }),
          disableOutputSanitization: change.disableOutputSanitization ?? false,
        },
      )
      if (!loses) await step.sms('text', () => ({ body: 'Shipped' }), { skip: () => inbox.read })
    },
    { payloadSchema: change.payloadSchema ?? orderSchema },
  )
}

const folder = mkdtempSync(join(tmpdir(), 'trestle-replay-'))
let handler = bridgeHandler({ workflows: [order()] })
let bridge: Listening
let service: Service
const runIds: string[] = []

async function call(method: string, path: string, body?: object) {
  const response = await fetch(service.url + path, {
    method,
    headers: { authorization: `ApiKey ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  return (await response.json()) as any
}

/** Triggers a workflow, skips its wait, and returns the id of its finished run. */
async function runOrder(payload: object, { reads = false, name = 'order-shipped' } = {}): Promise<string> {
  const to = { subscriberId: 'ada', firstName: 'Adaline', email: 'ada@example.com', phone: '+4930901820' }
  const { data } = await call('POST', '/v1/events/trigger', { name, to, payload })
  const find = async () => (await call('GET', `/v1/studio/runs?transactionId=${data.transactionId}`)).data[0]
  const waiting = async () => (await find())?.steps.find(({ status }: { status: string }) => status === 'delayed')
  await vi.waitFor(async () => expect(await waiting()).toBeDefined(), 10_000)
  const { _id: id } = await find()
  if (reads) await service.store.db.updateTable('messages').set({ seen: 1, read: 1 }).where('runId', '=', id).execute()
  await call('POST', `/v1/studio/jobs/${(await waiting())._id}/skip-wait`)
  await vi.waitFor(async () => expect((await find()).status).toMatch(/completed|failed/), 10_000)
  return id
}

beforeAll(async () => {
  bridge = await listen((request, response) => handler(request, response))
  service = await startService({
    port: 0,
    databaseFile: ':memory:',
    encryptionKey: 'ab'.repeat(32),
    secretKeys: { Development: key },
    logLevel: 'silent',
  })
  await call('POST', '/v1/bridge/sync?source=cli', { bridgeUrl: `${bridge.origin}/api/bridge` })
  runIds.push(await runOrder({ id: 'A-1042', note: 'fragile <glass>', cents: 4250 }))
  runIds.push(await runOrder({ id: 'B-7', note: 'blue', cents: 100 }, { reads: true }))
})
afterAll(async () => {
  await service.stop()
  await bridge.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Replays against changed code. */
async function replay(change: Change, argv: readonly string[]) {
  handler = bridgeHandler({ workflows: [order(change)] })
  const at = ['--against', `${bridge.origin}/api/bridge`, '--api', service.url, '--key', key]
  return trestle(['replay', ...argv, ...at], { cwd: folder })
}
async function replayOne(change: Change = {}) {
  const { status, stdout } = await replay(change, [runIds[0] ?? '', '--json'])
  return { status, ...JSON.parse(stdout) }
}
const countMessages = async () => (await call('GET', '/v1/messages?limit=100')).data.length

describe('trestle replay', () => {
  test('finds no difference in unchanged code, sends nothing, and does not run handlers that store data', async () => {
    const before = await countMessages()
    ran.length = 0
    const { status, outcome, reason, differences } = await replayOne()
    expect({ status, outcome, reason, differences }).toEqual({
      status: 0,
      outcome: 'same',
      reason: null,
      differences: [],
    })
    expect(ran).toEqual(['mail'])
    expect(await countMessages()).toBe(before)
  })

  test('knows when an in-app message was read', async () => {
    const { status, stdout } = await replay({}, [runIds[1] ?? ''])
    expect(stdout).toContain('The replay has the same steps with the same outputs.')
    expect(status).toBe(0)
  })

  test('reports a changed subject field by field', async () => {
    const { status, outcome, differences } = await replayOne({ subject: 'Good news' })
    expect([status, outcome]).toEqual([1, 'different'])
    expect(differences).toMatchObject([
      {
        kind: 'changed',
        stepId: 'mail',
        type: 'email',
        fields: [{ path: 'subject', before: 'Your order A-1042', after: 'Good news' }],
      },
    ])
    const { stdout } = await replay({ subject: 'Good news' }, [runIds[0] ?? ''])
    expect(stdout).toMatch(/changed +mail \(email\): subject changed\n +subject\n +- Your order A-1042\n +\+ Good news/)
  })

  test('reports a lost step', async () => {
    const { status, differences } = await replayOne({ loses: true })
    expect(differences).toMatchObject([
      { kind: 'lost', stepId: 'text', type: 'sms', before: { outputs: { body: 'Shipped' } } },
    ])
    expect(status).toBe(1)
  })

  test('reports new messages and waits, and still compares what follows them', async () => {
    const adds = async (step: Step<Order>, { id }: Order) => {
      const { eventCount } = await step.digest('collect', () => ({ amount: 1, unit: 'hours' }))
      await step.push('buzz', () => ({ subject: id, body: `${eventCount}` }))
    }
    const { status, differences } = await replayOne({ adds, subject: 'New' })
    expect(differences).toMatchObject([
      { kind: 'added', stepId: 'collect', type: 'digest' },
      { kind: 'added', stepId: 'buzz', type: 'push', after: { outputs: { subject: 'A-1042', body: '1' } } },
      { kind: 'changed', stepId: 'mail' },
    ])
    expect(status).toBe(1)
  })

  test('does not run the handler of a new step that stores data, and says that the rest was not compared', async () => {
    const adds = (step: Step<Order>) =>
      step.custom('charge', async () => {
        ran.push('charge')
        return {}
      })
    const { status, reason, differences } = await replayOne({ adds, loses: true })
    expect(differences).toMatchObject([{ kind: 'added', stepId: 'charge', type: 'custom' }])
    expect(reason).toContain('up to the new step charge')
    expect([status, ran.includes('charge')]).toEqual([1, false])
  })

  test.each<[string, Change, object]>([
    ['a step', { fails: 'mail' }, { stepId: 'mail', code: 'StepExecutionFailedError' }],
    ['the workflow function', { fails: 'function' }, { stepId: null, message: expect.stringContaining('no stock') }],
    [
      'the payload',
      { payloadSchema: orderSchema.extend({ id: z.string().max(3) }) },
      { stepId: null, code: 'WorkflowPayloadInvalidError' },
    ],
  ])('reports a run that would fail because of %s', async (_name, change, expected) => {
    const { status, outcome, differences } = await replayOne(change)
    expect([status, outcome]).toEqual([1, 'failing'])
    expect(differences[0]).toMatchObject({ kind: 'failing', ...expected })
  })

  test('compares a run with an endless loop up to its first 100 new steps', async () => {
    // The bridge discovers it with other payloads.
    const adds = async (step: Step<Order>, { cents }: Order) => {
      for (let at = 0; cents % 4249 === 1; at++) await step.sms(`again-${at}`, () => ({ body: 'b' }))
    }
    const { status, reason, differences } = await replayOne({ adds })
    expect([status, reason]).toEqual([1, 'the run was compared up to its first 100 new steps'])
    expect(differences.length).toBeGreaterThanOrEqual(100)
  })

  test('names a run that does not exist', async () => {
    const { status, stderr } = await replay({}, ['01a21d344b4200674d43bf5e'])
    expect([status, stderr]).toEqual([1, expect.stringContaining('has no run "01a21d344b4200674d43bf5e"')])
  })
})

describe('trestle replay --last', () => {
  const replayLast = async (change: Change, argv: readonly string[] = []) => {
    const { status, stdout, stderr } = await replay(change, ['--last', '10', '--json', ...argv])
    return { status, stderr, ...JSON.parse(stdout) }
  }

  test('summarizes runs, and groups equal differences', async () => {
    const result = await replayLast({ subject: 'New', loses: true }, ['--workflow', 'order-shipped'])
    expect(result).toMatchObject({
      status: 1,
      runs: 2,
      same: 0,
      different: 2,
      failing: 0,
      // The other run skipped the SMS, because its in-app message was read.
      messages: { lost: 1, added: 0, changed: 2 },
      notComparable: 0,
      groups: [
        { workflowId: 'order-shipped', kind: 'changed', stepId: 'mail', runs: 2 },
        { kind: 'lost', stepId: 'text', runs: 1 },
      ],
    })
    const { stdout } = await replay({ subject: 'New' }, ['--last', '10'])
    expect(stdout).toContain('2 runs: 0 same, 2 different, 0 would fail, 0 not comparable')
    expect(await replayLast({})).toMatchObject({ status: 0, runs: 2, same: 2 })
  })

  test('counts runs without recorded results as not comparable, never as equal', async () => {
    const { db } = service.store
    const [id = ''] = runIds
    const calls = await db.selectFrom('bridgeCalls').selectAll().where('runId', '=', id).execute()
    await db.deleteFrom('bridgeCalls').where('runId', '=', id).execute()
    expect(await replayLast({})).toMatchObject({
      status: 0,
      same: 1,
      notComparable: 1,
      notComparableReasons: { 'the service no longer has its calls': 1 },
    })
    const { status, stdout, stderr } = await replay({}, [id])
    expect([status, stdout]).toEqual([
      1,
      expect.stringContaining('not comparable  the service no longer has its calls'),
    ])
    expect(stderr).toContain('No run could be compared.')
    const mail = calls.find(({ reply }) => reply?.includes('"stepId":"mail"'))
    await db
      .insertInto('bridgeCalls')
      .values(calls.filter((one) => one !== mail))
      .execute()
    expect((await replayLast({})).notComparableReasons).toEqual({
      'the service no longer has the result of step mail': 1,
    })
    if (mail) await db.insertInto('bridgeCalls').values(mail).execute()
  })

  test('names a workflow that does not exist, and an unreachable bridge', async () => {
    const { status, stderr } = await replay({}, ['--last', '3', '--workflow', 'order-shiped'])
    expect([status, stderr]).toEqual([1, expect.stringContaining('Did you mean order-shipped?')])
    const at = ['--against', 'http://127.0.0.1:1/api/bridge', '--api', service.url, '--key', key]
    const unreachable = await trestle(['replay', '--last', '3', ...at], { cwd: folder })
    expect([unreachable.status, unreachable.stderr]).toEqual([1, expect.stringContaining('ECONNREFUSED')])
  })

  test('writes a report with both emails in sandboxed frames, without scripts', async () => {
    const file = join(folder, 'replay.html')
    const body = 'here<script>alert(1)</script><img src="https://example.com/pixel.png">'
    const { status } = await replay({ body, disableOutputSanitization: true }, [
      '--last',
      '10',
      '--report',
      'replay.html',
    ])
    const page = readFileSync(file, 'utf8')
    expect(status).toBe(1)
    expect(page).toContain('Replay of 2 runs')
    expect(page.match(/<iframe class="mail" sandbox=""/g)).toHaveLength(4)
    expect(page).toContain('your order A-1042 (fragile')
    expect(page).toContain('<del>')
    expect(page).not.toContain('<script')
    const frames = page.match(/srcdoc="[^"]*"/g)?.join() ?? ''
    expect(frames).toContain('pixel.png')
    expect(frames).not.toMatch(/script|img-src data: https:/)
  })

  test('masks values of the run and addresses in the output and the report', async () => {
    const file = join(folder, 'masked.html')
    rmSync(file, { force: true })
    const body = 'with ada@example.com, +49 30 901820 and eve@example.net'
    const adds = async (step: Step<Order>, { id }: Order) => {
      await step.sms(`sms-${id}`, () => ({ body: id }))
      throw new Error(`nothing for ${id}`)
    }
    const argv = ['--last', '10', '--mask', '--report', 'masked.html']
    const texts = [(await replay({ body }, argv)).stdout, readFileSync(file, 'utf8')]
    texts.push((await replay({ adds }, [...argv, '--json'])).stdout, readFileSync(file, 'utf8'))
    expect(existsSync(file)).toBe(true)
    for (const text of texts) {
      expect(text).not.toMatch(/A-1042|fragile|glass|Adaline|example\.(com|net)|901820|42\.5/)
      expect(text).toContain('[payload.id]')
    }
    expect(texts[0]).toContain('[email]')
    expect(texts[1]).toContain('[payload.note]')
  })
})

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { moveProject } from '@trestle/codemod'
import { novu } from '@trestle/core/novu'
import { errorStatuses } from '@trestle/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installPeer, peerProgram, requirePeer } from './install-peer.ts'
import { type Answer, callAsPeer, type PeerApi, startPeerApi } from './peer-service.ts'

// One project before and after the migration, in parallel under the legacy service's names: the service and its command
// must see the same behavior, except for known differences.

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const secret = 'nv-secret'
const children: ChildProcess[] = []
const folders: string[] = []
const bridges = { former: '', moved: '', open: '' }
let api: PeerApi

/** Runs a project with only the legacy package's environment variables; returns the URL of its bridge. */
async function start(folder: string, mode: string): Promise<string> {
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, [here('serve.mjs'), join(folder, 'bridge.mjs')], {
    env: { PATH, HOME, NODE_ENV: mode as 'production', NOVU_SECRET_KEY: secret, NOVU_API_URL: api.url },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  const said: string[] = []
  child.stderr.on('data', (chunk) => said.push(String(chunk)))
  for await (const port of createInterface({ input: child.stdout })) return `http://127.0.0.1:${port}/api/novu`
  throw new Error(`The project in ${folder} did not start: ${said.join('').slice(-2000)}`)
}

/** Writes the project into a folder where its packages can be resolved. */
function copyProject(into: string): string {
  const folder = mkdtempSync(into)
  folders.push(folder)
  cpSync(here('project'), folder, { recursive: true })
  return folder
}

async function runCommand(...args: string[]): Promise<{ status: number; output: string }> {
  const { PATH, NODE_ENV } = process.env
  const env = { PATH, NODE_ENV, HOME: folders[0], ANALYTICS_ENABLED: 'false' }
  return promisify(execFile)(process.execPath, [peerProgram, ...args], { env, cwd: folders[0] }).then(
    ({ stdout, stderr }) => ({ status: 0, output: stdout + stderr }),
    ({ code, stderr, stdout }) => ({ status: code, output: stdout + stderr }),
  )
}

type Query = Readonly<Record<string, string>>
const both = async (query: Query, body?: object): Promise<readonly [Answer, Answer]> =>
  Promise.all([callAsPeer(bridges.former, query, { body, secret }), callAsPeer(bridges.moved, query, { body, secret })])

const subscriber = {
  subscriberId: 's-1',
  firstName: 'Ada',
  lastName: null,
  email: 'ada@x.test',
  phone: null,
  data: null,
}
const done = (stepId: string, outputs: object = {}): object => ({ stepId, outputs, state: { status: 'completed' } })
/** The body of an execute call as sent by the legacy service, including the pseudo entry for the trigger. */
const toEvent = (payload: object, controls: object = {}, state: readonly object[] = []): object => ({
  payload,
  controls,
  state: [...state, done('', payload)],
  subscriber,
  context: {},
  env: { name: 'Production', type: 'prod' },
})
const run = (workflowId: string, stepId: string): Query => ({
  ...{ action: 'execute', workflowId, stepId, jobId: 'j-1', environmentType: 'prod' },
})

beforeAll(async () => {
  const installed = await installPeer()
  folders.push(mkdtempSync(join(tmpdir(), 'trestle-home-')))
  api = await startPeerApi(secret)
  const former = copyProject(join(installed, 'project-'))
  const moved = copyProject(here('.project-'))
  moveProject(moved, { version: '0.1.0' })
  ;[bridges.former, bridges.moved, bridges.open] = await Promise.all([
    start(former, 'production'),
    start(moved, 'production'),
    start(moved, 'development'),
  ])
}, 300_000)

afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  api?.close()
})

describe('the legacy command', () => {
  test('syncs a migrated bridge', async () => {
    const { status, output } = await runCommand('sync', '-b', bridges.moved, '-s', secret, '-a', api.url)
    expect([status, output.includes('Error')]).toEqual([0, false])
    expect(api.calls.at(-1)).toMatchObject({
      ...{ method: 'POST', path: '/v1/bridge/sync?source=cli', authorization: `ApiKey ${secret}` },
      body: { bridgeUrl: bridges.moved },
    })
    expect(api.discovered()?.body.workflows).toHaveLength(2)
    // The legacy command's call that looks for agents is not signed.
    expect(output).toContain('Could not discover agents')
  })

  test('syncs the agents of a bridge that accepts unsigned calls', async () => {
    const { status, output } = await runCommand('sync', '-b', bridges.open, '-s', secret, '-a', api.url)
    expect(status).toBe(0)
    expect(output).toContain('✓ support')
    expect(api.calls.at(-1)).toMatchObject({
      ...{ method: 'PUT', path: '/v1/agents/support/bridge', body: { bridgeUrl: bridges.open } },
    })
  })

  test('fails with a different key', async () => {
    expect((await runCommand('sync', '-b', bridges.moved, '-s', 'other', '-a', api.url)).status).not.toBe(0)
  })

  test('waits until the health check has the status ok', async () => {
    for (const url of [bridges.former, bridges.moved])
      expect(await (await fetch(`${url}?action=health-check`)).json()).toMatchObject({ status: 'ok' })
  })
})

describe('the legacy service', () => {
  /** Zod 3 removes unknown fields from objects: one package publishes these objects as closed, the other as open. */
  const toSchema = ({ $schema: _dialect, additionalProperties: _closed, ...rest }: Record<string, unknown>): object =>
    rest
  /** The parts of a manifest that the service stores and reads. */
  const toRead = ({ body }: Answer): object =>
    // biome-ignore lint/suspicious/noExplicitAny: a manifest, to be looked into.
    body.workflows.map(({ payload, controls, steps, ...workflow }: any) => {
      const { workflowId, name, description, tags, severity, preferences } = workflow
      return {
        ...{ workflowId, name, description, tags, severity, preferences },
        ...{ payload: toSchema(payload.schema), controls: toSchema(controls.schema) },
        // biome-ignore lint/suspicious/noExplicitAny: a step, to be looked into.
        steps: steps.map(({ stepId, type, ...step }: any) => [stepId, type, toSchema(step.controls.schema)]),
      }
    })

  test('parses the same data from discover', async () => {
    const [former, moved] = await both({ action: 'discover' })
    expect([former.status, moved.status]).toEqual([200, 200])
    expect(toRead(moved)).toEqual(toRead(former))
    expect(moved.body.agents).toEqual(former.body.agents)
    expect(moved.body.agents).toEqual([{ agentId: 'support' }])
  })

  test('parses the same data from a signed health check', async () => {
    const [former, moved] = await both({ action: 'health-check' })
    expect(Object.keys(moved.body).sort()).toEqual(Object.keys(former.body).sort())
    expect(moved.body.discovered).toEqual(former.body.discovered)
  })

  const order = { id: 'o-1', items: ['a', 'b'], __source: 'x' }
  const inbox = done('inbox', { seen: true, read: false, lastSeenDate: null, lastReadDate: null })
  const daily = done('daily', { events: [{ id: '1', time: '2026-01-01T00:00:00.000Z', payload: {} }], eventCount: 1 })
  const wait = done('wait', { duration: 5 })
  const mail = done('mail')
  const lookUp = done('look-up', { rate: 4 })
  test.each<[string, Query, object]>([
    ['an inbox message', run('order-shipped', 'inbox'), toEvent(order)],
    ['its control', run('order-shipped', 'inbox'), toEvent(order, { title: 'For {{subscriber.firstName}}' })],
    ['a digest', run('order-shipped', 'daily'), toEvent(order, {}, [inbox])],
    ['a delay', run('order-shipped', 'wait'), toEvent(order, {}, [daily, inbox])],
    ['a mail with an override', run('order-shipped', 'mail'), toEvent(order, {}, [wait, daily, inbox])],
    ['a mail that is skipped', run('order-shipped', 'mail'), toEvent(order, { count: 0 }, [wait, daily, inbox])],
    ['a push', run('order-shipped', 'push'), toEvent(order, {}, [mail, wait, daily, inbox])],
    ['a chat', run('order-shipped', 'chat'), toEvent(order, {}, [done('push'), mail, wait, daily, inbox])],
    ['a custom step', run('checks', 'look-up'), toEvent({ amount: 2 })],
    ['a throttle', run('checks', 'limit'), toEvent({ amount: 2 }, {}, [lookUp])],
    ['a text', run('checks', 'tell'), toEvent({ amount: 2 }, {}, [done('limit', { throttled: false }), lookUp])],
  ])('receives the same response for %s', async (_name, query, event) => {
    const [former, moved] = await both(query, event)
    const read = ({ status, body: { outputs, providers, options, metadata } }: Answer): object => ({
      ...{ status, outputs, providers, options },
      metadata: { status: metadata?.status, error: metadata?.error, duration: typeof metadata?.duration },
    })
    expect(former.status).toBe(200)
    expect(read(moved)).toEqual(read(former))
  })

  test('previews and runs a step whose closed payload schema lacks the fields that its dashboard adds', async () => {
    const event = toEvent({ amount: 2, __source: 'dashboard', more: { deep: [1] } })
    for (const action of ['preview', 'execute']) {
      const [former, moved] = await both({ ...run('checks', 'look-up'), action }, event)
      expect([action, former.status, moved.status]).toEqual([action, 200, 200])
      expect([action, moved.body.outputs]).toEqual([action, former.body.outputs])
    }
  })

  test.each<[string, Query, object]>([
    ['a wrong payload', run('order-shipped', 'inbox'), toEvent({ id: 5 })],
    ['a wrong control', run('order-shipped', 'mail'), toEvent(order, { count: 'x' }, [wait, daily, inbox])],
    ['a template that cannot be', run('order-shipped', 'inbox'), toEvent(order, { title: '{{ payload.id' })],
    ['a missing state', run('order-shipped', 'mail'), toEvent(order, {}, [inbox])],
    ['a wrong stored result', run('order-shipped', 'daily'), toEvent(order, {}, [done('inbox', { seen: 'x' })])],
    ['an unknown workflow', run('nowhere', 'mail'), toEvent(order)],
    [
      'a step that throws',
      run('checks', 'breaks'),
      toEvent({ amount: 2 }, {}, [done('tell'), done('limit', { throttled: false }), lookUp]),
    ],
    ['an unknown action', { action: 'nothing' }, toEvent(order)],
  ])('receives the same error for %s', async (_name, query, event) => {
    const [former, moved] = await both(query, event)
    expect([moved.status, moved.body.code]).toEqual([former.status, former.body.code])
    expect(moved.status).toBeGreaterThanOrEqual(400)
    expect(moved.body.message).toEqual(expect.any(String))
  })

  test('is rejected in the same way with a different key', async () => {
    const wrong = { secret: 'other' }
    const [former, moved] = await Promise.all(
      [bridges.former, bridges.moved].map((url) => callAsPeer(url, { action: 'discover' }, wrong)),
    )
    expect([moved?.status, moved?.body.code]).toEqual([former?.status, former?.body.code])
    expect(moved?.status).toBe(401)
  })

  test('recognizes every code that a bridge returns', () => {
    const { isFrameworkError } = requirePeer('@novu/framework/internal')
    const codes = Object.keys(errorStatuses) as (keyof typeof errorStatuses)[]
    expect(codes.filter((code) => !isFrameworkError({ code: novu.errorCodes?.[code] ?? code }))).toEqual([])
    // Without the preset, the legacy framework does not recognize some codes: the mapping is complete and minimal.
    expect(
      codes.filter((code) => !isFrameworkError({ code }) || code === 'WorkflowPayloadInvalidError').sort(),
    ).toEqual(Object.keys(novu.errorCodes ?? {}).sort())
  })

  test('accepts the preview and the result of each step, by its own schemas', async () => {
    const { channelStepSchemas, actionStepSchemas } = requirePeer('@novu/framework/internal')
    const { validateData } = requirePeer('@novu/framework/validators')
    const schemas = { ...channelStepSchemas, ...actionStepSchemas }
    const { body } = await callAsPeer(bridges.moved, { action: 'discover' }, { secret })
    const seen: string[] = []
    for (const { workflowId, steps } of body.workflows)
      for (const { stepId, type } of steps) {
        if (stepId === 'breaks' || type === 'custom') continue
        const event = { payload: {}, controls: {}, state: [], subscriber: {} }
        const ids = { action: 'preview', workflowId, stepId }
        const answer = await callAsPeer(bridges.moved, ids, { body: { ...event, ...ids }, secret })
        expect([answer.status, answer.body.options]).toEqual([200, { skip: false }])
        const { success, data } = await validateData(schemas[type].output, answer.body.outputs)
        // The legacy validator removes unknown fields.
        expect([stepId, success, data]).toEqual([stepId, true, answer.body.outputs])
        seen.push(type)
      }
    expect(new Set(seen)).toEqual(new Set(['in_app', 'digest', 'delay', 'email', 'push', 'chat', 'sms', 'throttle']))
  })
})

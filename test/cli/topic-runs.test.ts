import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DevSession, startDev } from '@trestle/cli'
import { workflow } from '@trestle/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bridgeHandler, type Listening, listen } from './listen.ts'
import { trestle } from './trestle.ts'

/** More than the service creates, or lists, at once. */
const members = Array.from({ length: 130 }, (_, index) => `member-${index}`)

const oneFails = workflow('one-fails', async ({ step, subscriber }) => {
  await step.custom('work', async () => {
    if (subscriber.subscriberId === 'member-3') throw new Error('out of paper')
    return {}
  })
})
const canceled = workflow('canceled', async ({ step }) => {
  await step.custom('work', async () => {
    await call('DELETE', '/v1/events/trigger/stopped')
    return {}
  })
})

const cwd = mkdtempSync(join(tmpdir(), 'trestle-topic-'))
let bridge: Listening
let session: DevSession

const call = async (method: string, path: string, body?: unknown): Promise<Response> => {
  const headers = { authorization: `ApiKey ${session.service.key}`, 'content-type': 'application/json' }
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
  return fetch(`${session.service.url}${path}`, init)
}
const to = { type: 'Topic', topicKey: 'news' }
const trigger = (workflowId: string, ...rest: readonly string[]) => {
  const { url, key } = session.service
  const argv = ['trigger', workflowId, '--to', JSON.stringify(to), '--follow', '--api', url, '--key', key, ...rest]
  return trestle(argv, { cwd })
}

beforeAll(async () => {
  bridge = await listen(bridgeHandler({ workflows: [oneFails, canceled], strictAuthentication: false }))
  session = await startDev({ port: 0, bridgeUrl: `${bridge.origin}/api/bridge`, cwd, env: {} })
  await session.ready
  for (const subscriberId of members) await call('POST', '/v2/subscribers', { subscriberId })
  await call('POST', '/v1/topics/news/subscribers', { subscribers: members })
}, 60_000)
afterAll(async () => {
  await session.stop()
  await bridge.stop()
  rmSync(cwd, { recursive: true, force: true })
})

test('follows every run of a topic, and exits with 1 if one of them fails', async () => {
  const { status, stdout } = await trigger('one-fails', '--json')
  const { runs, incomplete } = JSON.parse(stdout) as { runs: { status: string }[]; incomplete: unknown }
  expect([runs.length, incomplete]).toEqual([members.length, null])
  expect(runs.filter((run) => run.status === 'failed')).toHaveLength(1)
  expect(status).toBe(1)
})

test('reports a trigger that ends before all runs exist', async () => {
  const { status, stderr } = await trigger('canceled', '--transaction', 'stopped')
  expect(stderr).toContain('The trigger stopped did not create all its runs (100 exist): it was canceled.')
  expect(status).toBe(1)
})

test('reports a used transaction id, instead of the runs of the earlier trigger', async () => {
  const { url, key } = session.service
  const argv = ['trigger', 'one-fails', '--to', 'ada', '--transaction', 'once', '--api', url, '--key', key, '--follow']
  expect((await trestle(argv, { cwd })).status).toBe(0)
  const { status, stderr } = await trestle(argv, { cwd })
  expect(stderr).toContain('The trigger once created no run: its transaction id was already used.')
  expect(status).toBe(1)
})

test('gives an agent the ids of the runs that it does not include', async () => {
  const params = { name: 'run_workflow', arguments: { workflowId: 'one-fails', to } }
  const answer = await call('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const { result } = (await answer.json()) as { result: { structuredContent: Record<string, unknown[]> } }
  const { runs = [], otherRunIds = [] } = result.structuredContent
  expect([runs.length, otherRunIds.length]).toEqual([10, members.length - 10])
})

test('names an invalid field of the recipient once', async () => {
  const { url, key } = session.service
  const argv = ['trigger', 'one-fails', '--to', '{ "type": "Topic" }', '--api', url, '--key', key]
  const { status, stderr } = await trestle(argv, { cwd })
  expect(stderr.match(/to\.topicKey/g)).toHaveLength(1)
  expect(status).toBe(1)
})

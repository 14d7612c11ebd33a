import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type WorkflowDefinition, workflow } from '@trestle/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { natural } from '../testing/natural-programs.ts'
import { bridgeHandler, type Listening, listen } from './listen.ts'
import { type Running, startTrestle } from './trestle.ts'

/** The workflow of the README. */
const orderShipped = workflow(
  'order-shipped',
  async ({ step, payload }) => {
    const inbox = await step.inApp('tell', () => ({ body: `Order ${payload.id} is on its way` }))
    await step.delay('wait', () => ({ amount: 1, unit: 'hours' }))
    await step.email(
      'mail',
      (controls) => ({ subject: controls.subject, body: `<p>Order ${payload.id} is on its way.</p>` }),
      {
        controlSchema: z.object({ subject: z.string().default('Your order {{ payload.id }}') }),
        skip: () => inbox.read,
      },
    )
  },
  { payloadSchema: z.object({ id: z.string() }) },
)
/** The workflow from the README of `core`. */
const commentDigest = workflow(
  'comment-digest',
  async ({ step, payload }) => {
    const { events } = await step.digest('collect', () => ({ amount: 10, unit: 'minutes' }))
    await step.email('mail', ({ subject }) => ({ subject, body: `<p>${events.length} on ${payload.post}</p>` }), {
      controlSchema: {
        type: 'object',
        properties: { subject: { type: 'string', default: 'News on {{ payload.post }}' } },
        required: ['subject'],
        additionalProperties: false,
      } as const,
    })
  },
  { payloadSchema: { type: 'object', properties: { post: { type: 'string' } }, required: ['post'] } as const },
)

const programs: readonly (readonly [
  name: string,
  definition: WorkflowDefinition,
  payload: object,
  steps: readonly string[],
])[] = [
  ...natural.map(
    ([name, run, payload, steps], index) => [name, workflow(`natural-${index}`, run as never), payload, steps] as const,
  ),
  ['the example of the README', orderShipped, { id: '7' }, ['tell', 'wait', 'mail']],
  ['the example of the README of core', commentDigest, { post: 'p' }, ['collect', 'mail']],
]

const folder = mkdtempSync(join(tmpdir(), 'trestle-natural-'))
let listening: Listening
let dev: Running
let [api, authorization] = ['', '']

beforeAll(async () => {
  const workflows = programs.map(([, definition]) => definition)
  listening = await listen(bridgeHandler({ workflows, strictAuthentication: false }))
  dev = startTrestle(['dev', '--port', '0', '--bridge', `${listening.origin}/api/bridge`], { cwd: folder })
  const [, address = ''] = await dev.until(/REST API\s+(\S+)/)
  const [, key = ''] = await dev.until(/Secret key\s+(\S+)/)
  await dev.until(/Watching for changes/)
  api = address
  authorization = `ApiKey ${key}`
  // On a busy machine, the first discovery takes several calls.
  const count = async (): Promise<number> => (await call('GET', '/v2/workflows?limit=1')).totalCount
  while ((await count()) < programs.length) await new Promise((resolve) => setTimeout(resolve, 200))
}, 120_000)

afterAll(async () => {
  await dev?.kill('SIGKILL')
  await listening?.stop()
  rmSync(folder, { recursive: true, force: true })
})

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape.
type Json = any

async function call(method: string, path: string, body?: object): Promise<Json> {
  const answer = await fetch(`${api}${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  expect(answer.ok, `${method} ${path}: ${answer.status}`).toBe(true)
  return answer.json()
}

async function findRun(transactionId: string): Promise<string> {
  for (;;) {
    const { data } = await call('GET', `/v1/notifications?transactionId=${transactionId}`)
    if (data.length > 0) return data[0]._id
  }
}

/** Follows a run to its end, shortens its waits, and returns its outcome and the steps that ran. */
async function follow(runId: string): Promise<{ readonly status: string; readonly steps: readonly string[] }> {
  const { body } = await fetch(`${api}/v1/studio/runs/${runId}/events?until=end`, { headers: { authorization } })
  const steps = new Set<string>()
  const waiting = new Set<string>()
  let [status, text] = ['', '']
  const decoder = new TextDecoder()
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    const lines = (text + decoder.decode(chunk, { stream: true })).split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) {
      if (!line.startsWith('data:')) continue
      const event: Json = JSON.parse(line.slice('data:'.length))
      status = event.runStatus
      if (event.jobStatus === 'completed' && event.stepId) steps.add(event.stepId)
      if (event.jobStatus !== 'delayed' || waiting.has(event.jobId)) continue
      waiting.add(event.jobId)
      await call('POST', `/v1/studio/jobs/${event.jobId}/skip-wait`)
    }
  }
  return { status, steps: [...steps].toSorted() }
}

const ada = { subscriberId: 'ada', email: 'ada@example.com', phone: '+15555550100' }

describe('trestle dev runs all steps of natural code, and no other', () => {
  test.each(programs)('%s', async (_name, definition, payload, steps) => {
    const { data } = await call('POST', '/v1/events/trigger', { name: definition.id, to: ada, payload })
    expect(await follow(await findRun(data.transactionId))).toEqual({ status: 'completed', steps: steps.toSorted() })
  })
})

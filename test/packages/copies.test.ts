import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../repository.ts'

// Package managers that isolate dependencies (Yarn's Plug'n'Play, pnpm) install separate copies of the core for a
// package of workflows and for the app that mounts them.
const base = mkdtempSync(join(tmpdir(), 'trestle-copies-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

const needs = ['@trestle/protocol', '@trestle/api-client', 'liquidjs']

function makePackage(folder: string, others: Readonly<Record<string, string>>): void {
  const link = (name: string, from: string): void => {
    const place = join(folder, 'node_modules', name)
    mkdirSync(dirname(place), { recursive: true })
    symlinkSync(join(root, 'node_modules', from), place)
  }
  for (const name of needs) link(name, name)
  for (const [name, from] of Object.entries(others)) link(name, from)
  const core = join(folder, 'node_modules/@trestle/core')
  mkdirSync(core)
  for (const part of ['dist', 'package.json'])
    cpSync(join(root, 'packages/core', part), join(core, part), { recursive: true })
}

beforeAll(() => {
  makePackage(join(base, 'flows'), {
    zod: 'zod3',
    'zod-to-json-schema': 'zod-to-json-schema',
    valibot: 'valibot',
    '@valibot/to-json-schema': '@valibot/to-json-schema',
  })
  makePackage(join(base, 'app'), {})
  writeFileSync(
    join(base, 'flows/index.mjs'),
    `import { workflow } from '@trestle/core'
import * as v from 'valibot'
import { z } from 'zod'

const make = (id, payloadSchema, controlSchema) =>
  workflow(id, async ({ step }) => void (await step.sms('text', ({ body }) => ({ body }), { controlSchema })), { payloadSchema })

export const zod = make('zod', z.object({ id: z.string() }), z.object({ body: z.string().default('Hi') }))
export const valibot = make('valibot', v.object({ id: v.string() }), v.object({ body: v.optional(v.string(), 'Hi') }))
`,
  )
  writeFileSync(
    join(base, 'app/main.mjs'),
    `import { once } from 'node:events'
import { createServer } from 'node:http'
import { createBridge } from '@trestle/core'
import { valibot, zod } from '../flows/index.mjs'

const calls = []
const api = createServer((request, response) => {
  calls.push(request.headers.authorization)
  response.writeHead(201, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ data: { acknowledged: true, status: 'processed', transactionId: 't' } }))
}).listen(0, '127.0.0.1')
await once(api, 'listening')
const bridge = createBridge({ secretKey: 'sk_of_the_bridge', apiUrl: \`http://127.0.0.1:\${api.address().port}\`, workflows: [zod, valibot], strictAuthentication: false, logger: { info() {}, warn() {}, error() {} } })
const discover = await bridge.fetch(new Request('http://app/?action=discover'))
const call = (id) =>
  bridge.fetch(
    new Request(\`http://app/?action=execute&workflowId=\${id}&stepId=text\`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ payload: { id: '7' }, controls: {}, state: [], subscriber: {} }),
    }),
  )
const { workflows, message } = await discover.json()
const outputs = []
for (const id of ['zod', 'valibot']) outputs.push(await (await call(id)).json())
await zod.trigger({ to: 'ada', payload: { id: '7' } }).catch(({ message }) => calls.push(message))
api.close()
console.log(JSON.stringify({ calls, message, required: workflows?.map(({ payload }) => payload.schema.required), outputs }))
`,
  )
})

test('a bridge serves workflows from another copy of the core, using its schema libraries and the bridge’s account', async () => {
  const env = { PATH: process.env['PATH'], NODE_ENV: 'development' } as unknown as NodeJS.ProcessEnv
  const { stdout } = await promisify(execFile)(process.execPath, ['main.mjs'], { cwd: join(base, 'app'), env })
  const { calls, message, required, outputs } = JSON.parse(stdout)
  expect(message).toBeUndefined()
  expect(required).toEqual([['id'], ['id']])
  expect(calls).toEqual([expect.stringMatching(/ sk_of_the_bridge$/)])
  for (const output of outputs) expect(output).toMatchObject({ outputs: { body: 'Hi' } })
})

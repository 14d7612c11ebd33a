import { type ChildProcess, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sign } from '@trestle/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type App, buildApp } from '../build-app.ts'

const folder = fileURLToPath(new URL('next-schemas', import.meta.url))
const next = join(dirname(createRequire(import.meta.url).resolve('next/package.json')), 'dist/bin/next')
const servers: ChildProcess[] = []

const app = {
  folder: 'test/frameworks/next-schemas',
  packages: ['next'],
} as const
const program = 'next/dist/bin/next'
const apps: Readonly<Record<string, App>> = {
  '.next': { ...app, build: [program, 'build'], output: '.next/BUILD_ID' },
  '.next-webpack': {
    ...app,
    build: [program, 'build', '--webpack'],
    output: '.next-webpack/BUILD_ID',
    env: { NEXT_DIST: '.next-webpack' },
  },
}

afterAll(() => {
  for (const server of servers) server.kill()
})

/** Starts the build, and returns its URL. */
function start(dist: string): Promise<string> {
  const server = spawn(process.execPath, [next, 'start', folder, '--port', '0', '--hostname', '127.0.0.1'], {
    env: { ...process.env, NODE_ENV: 'production', NEXT_DIST: dist, NEXT_TELEMETRY_DISABLED: '1' },
  })
  servers.push(server)
  return new Promise((resolve, reject) => {
    let output = ''
    const read = (chunk: Buffer): void => {
      output += chunk
      const [, port] = /http:\/\/127\.0\.0\.1:(\d+)/.exec(output) ?? []
      if (port) resolve(`http://127.0.0.1:${port}`)
    }
    server.stdout?.on('data', read)
    server.stderr?.on('data', read)
    server.on('exit', () => reject(new Error(output)))
  })
}

async function discover(origin: string, route: string): Promise<Record<string, unknown>> {
  const headers = { 'service-signature': await sign('sk', '{}') }
  const response = await fetch(`${origin}/${route}?action=discover`, { headers })
  expect(response.status).toBe(200)
  const { workflows } = (await response.json()) as { workflows: { workflowId: string; payload: { schema: object } }[] }
  return Object.fromEntries(workflows.map(({ workflowId, payload }) => [workflowId, payload.schema]))
}

async function execute(origin: string, route: string, workflowId: string): Promise<unknown> {
  const body = JSON.stringify({ payload: { id: '7' } })
  const response = await fetch(`${origin}/${route}?action=execute&workflowId=${workflowId}&stepId=text`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'service-signature': await sign('sk', body) },
    body,
  })
  return ((await response.json()) as { outputs: unknown }).outputs
}

const shape = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }

describe.each([
  [
    'Turbopack',
    '.next',
    [
      ['node', ['zod', 'zod-3', 'valibot', 'json-schema']],
      ['edge', ['zod', 'json-schema']],
    ],
  ],
  ['webpack', '.next-webpack', [['node', ['zod', 'zod-3', 'valibot', 'json-schema']]]],
] as const)('Next, built by %s', (_bundler, dist, routes) => {
  let origin: string
  beforeAll(async () => {
    const built = apps[dist]
    if (built) await buildApp(built)
    origin = await start(dist)
  }, 300_000)
  test.each(routes)(
    'on the %s runtime serves workflows with schemas of %j',
    { timeout: 60_000 },
    async (route, ids) => {
      const schemas = await discover(origin, route)
      expect(Object.keys(schemas)).toEqual(ids)
      for (const id of ids) {
        expect(schemas[id]).toMatchObject(shape)
        expect(await execute(origin, route, id)).toEqual({ body: 'Order 7' })
      }
    },
  )
})

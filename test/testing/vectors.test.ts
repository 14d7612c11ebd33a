import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Validator } from '@cfworker/json-schema'
import { getRequestListener } from '@hono/node-server'
import { type BridgeOptions, createBridge, toNodeHandler, workflow } from '@trestle/core'
import { serve as serveExpress } from '@trestle/express'
import { serve as serveHono } from '@trestle/hono'
import { sign } from '@trestle/protocol'
import { runVectors, type Vectors, vectorSchema, vectors, vectorWorkflows } from '@trestle/testing/vectors'
import express from 'express'
import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'

const options: BridgeOptions = {
  workflows: vectorWorkflows,
  secretKey: vectors.secretKey,
  strictAuthentication: true,
  logger: { warn: () => undefined, error: () => undefined },
}
const mounts: readonly (readonly [string, (given: BridgeOptions) => RequestListener])[] = [
  ['node:http', (given) => toNodeHandler(createBridge(given))],
  ['Hono', (given) => getRequestListener(new Hono().all('/', serveHono(given)).fetch)],
  ['Express', (given) => express().all('/', serveExpress(given))],
  [
    'Express behind a parser that keeps the raw body',
    (given) =>
      express()
        .use(express.json({ verify: (request, _response, buffer) => Object.assign(request, { rawBody: buffer }) }))
        .all('/', serveExpress(given)),
  ],
]

async function serve<TResult>(listener: RequestListener, use: (url: string) => Promise<TResult>): Promise<TResult> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

test.each(mounts.slice(0, 3))('%s passes every vector', async (_name, mount) => {
  const results = await serve(mount(options), runVectors)
  expect(results.filter(({ fault }) => fault)).toEqual([])
  expect(results).toHaveLength(vectors.calls.length)
})

test.each(mounts.slice(3))('%s passes every vector except those its parser rejects', async (_name, mount) => {
  const results = await serve(mount(options), runVectors)
  const refused = ['a body that is not JSON', 'a body that is a string', 'checks the signature before action and body']
  expect(results.filter(({ fault }) => fault).map(({ name }) => name)).toEqual(
    vectors.calls.map(({ name }) => name).filter((name) => refused.includes(name)),
  )
})

describe('detects a faulty bridge', () => {
  const wrong: readonly (readonly [string, BridgeOptions, string])[] = [
    ['it does not verify', { strictAuthentication: false }, 'another key'],
    ['it has another key', { secretKey: 'another' }, 'a valid signature'],
    [
      'a workflow is missing',
      { workflows: vectorWorkflows.slice(1) },
      'discover returns the workflows and their steps',
    ],
    [
      'a handler gives something else',
      {
        workflows: [
          workflow(
            'waiting',
            async ({ step }) => void (await step.digest('collect', () => ({ amount: 6, unit: 'days' }))),
          ),
        ],
      },
      'a digest tells its window',
    ],
  ]
  test.each(wrong)('%s', async (_what, change, name) => {
    const results = await serve(toNodeHandler(createBridge({ ...options, ...change })), runVectors)
    expect(results.find((result) => result.name === name)?.fault).toMatch(/^the status is|^\/|^the body is/)
  })

  test('that does not respond with JSON', async () => {
    const results = await serve((_request, response) => response.end('hello'), runVectors)
    expect(results[0]?.fault).toBe('the body is not JSON: hello')
    expect(results.filter(({ fault }) => !fault)).toEqual([])
  })
})

describe('the file', () => {
  const validator = new Validator(vectorSchema as never, '2020-12', false)

  test('matches its schema', () => {
    expect(validator.validate(vectors).errors).toEqual([])
  })

  test.each<[string, (copy: Record<string, unknown> & Vectors) => unknown]>([
    ['an unknown field', (copy) => Object.assign(copy, { extra: 1 })],
    ['a call without a reply', (copy) => Reflect.deleteProperty(copy.calls[0] as object, 'reply')],
    ['a method that cannot be', (copy) => Object.assign(copy.calls[0]?.request as object, { method: 'FETCH' })],
    ['a signature without its header', (copy) => Reflect.deleteProperty(copy.signatures[0] as object, 'header')],
  ])('has a schema that rejects %s', (_what, spoil) => {
    const copy = structuredClone(vectors) as Record<string, unknown> & Vectors
    spoil(copy)
    expect(validator.validate(copy).valid).toBe(false)
  })

  test('has unique call names', () => {
    expect(new Set(vectors.calls.map(({ name }) => name)).size).toBe(vectors.calls.length)
  })

  test.each(vectors.signatures.map((vector) => [vector.name, vector]))('signing %s', async (_name, vector) => {
    expect(await sign(vector.secretKey, vector.body, { nowMs: Number(vector.timestamp) })).toBe(vector.header)
  })
})

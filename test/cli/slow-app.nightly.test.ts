import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createBridge, toNodeHandler, workflow } from '@trestle/core'
import { expect, test } from 'vitest'
import { trestle } from './trestle.ts'

/** Longer than a service waits for a step in production. */
const compileMs = 7000

test('trestle dev calls a step once even if its route is compiled on the first request', async () => {
  const hello = workflow('hello', async ({ step }) => {
    await step.inApp('inbox', () => ({ body: 'Hello' }))
  })
  const handle = toNodeHandler(createBridge({ workflows: [hello], strictAuthentication: false }))
  let executions = 0
  const server = createServer(async (request, response) => {
    if (request.url?.includes('action=execute') && executions++ === 0) await sleep(compileMs)
    handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { stdout, status } = await trestle(['dev', '--once', '--bridge', String(port), '--trigger', 'hello'])
  server.close()
  server.closeAllConnections()
  expect(status, stdout).toBe(0)
  expect(stdout).not.toContain('Bridge call is retried')
  // The call that ran the step also reported the end of the run.
  expect(executions).toBe(1)
}, 60_000)

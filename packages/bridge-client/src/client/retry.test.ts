import { errorStatuses } from '@trestle/protocol'
import { describe, expect, it } from 'vitest'
import { createTestClient, failureOf } from '../../fixtures/client.ts'
import { html, json, serveHttp } from '../../fixtures/server.ts'
import { type FailureCode, failures } from '../failure/failure.ts'

const retried: readonly FailureCode[] = [
  'BridgeEndpointUnavailable',
  'BridgeEndpointNotFound',
  'TunnelNotFound',
  'BridgeRequestTimeout',
  'EAI_AGAIN',
  'ENOTFOUND',
  'ECONNREFUSED',
  'ECONNRESET',
  'EADDRINUSE',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]

describe('the schedule', () => {
  it('retries every row of the reachability table except InvalidBridgeUrl, and no other code', () => {
    const marked = Object.entries(failures).filter(([, row]) => row.retried)
    expect(marked.map(([code]) => code).sort()).toEqual([...retried].sort())
  })

  it('allows three retries for steps and agents, and one for other calls', async () => {
    const step = { workflowId: 'w', stepId: 's', event: {} }
    const client = createTestClient({ fails: 'ECONNREFUSED' })
    const waitsOf = async (call: Promise<unknown>): Promise<readonly number[]> => {
      await failureOf(call)
      return client.waits.splice(0)
    }
    expect(await waitsOf(client.execute(step))).toEqual([1000, 2000, 4000])
    expect(await waitsOf(client.agentEvent({ agentId: 'a', event: 'e', body: {} }))).toEqual([1000, 2000, 4000])
    expect(await waitsOf(client.preview(step))).toEqual([1000])
    expect(await waitsOf(client.discover())).toEqual([1000])
    expect(await waitsOf(client.healthCheck())).toEqual([1000])
    expect(await waitsOf(client.sync())).toEqual([1000])
  })

  it('retries transient errors of the bridge, and none of its other errors', async () => {
    const repeated: string[] = []
    for (const [code, status] of Object.entries(errorStatuses)) {
      const { port, received } = await serveHttp((request, response, raw) =>
        json(status, { code, message: 'no', data: null })(request, response, raw),
      )
      const client = createTestClient({ port })
      const failure = await failureOf(client.execute({ workflowId: 'w', stepId: 's', event: {} }))
      expect([failure.code, failure.status]).toEqual([code, status])
      expect([1, 4]).toContain(received.length)
      if (received.length === 4) repeated.push(code)
    }
    expect(repeated.sort()).toEqual(['NonceStoreUnavailableError', 'StepExecutionTimeoutError'])
  })

  it('ends with the first success', async () => {
    const { port, received } = await serveHttp((request, response, raw) =>
      (received.length < 2 ? html(404) : json(200, { outputs: {} }))(request, response, raw),
    )
    const client = createTestClient({ port })
    await expect(client.execute({ workflowId: 'w', stepId: 's', event: {} })).resolves.toEqual({ outputs: {} })
    expect(client.waits).toEqual([1000])
    expect(client.logged).toMatchObject([{ attempt: 1, waitMs: 1000, code: 'BridgeEndpointUnavailable' }])
  })

  it('repeats a discover that ran out of time, while the bridge continues', async () => {
    const answers = [{ continues: true }, { continues: true }, undefined]
    const { port, received } = await serveHttp((request, response, raw) => {
      const data = answers[received.length - 1]
      const late = { code: 'WorkflowDiscoveryFailedError', message: 'late', data }
      ;(data ? json(500, late) : json(200, { workflows: [] }))(request, response, raw)
    })
    const client = createTestClient({ port })
    await expect(client.discover()).resolves.toEqual({ workflows: [] })
    expect(client.waits).toEqual([1000, 1000])
  })

  it('repeats a discover at most three times, and not if a workflow is faulty', async () => {
    const failing = async (data: object): Promise<number> => {
      const late = { code: 'WorkflowDiscoveryFailedError', message: 'late', data }
      const { port, received } = await serveHttp(json(500, late))
      expect((await failureOf(createTestClient({ port }).discover())).code).toBe(late.code)
      return received.length
    }
    expect(await failing({ continues: true })).toBe(4)
    expect(await failing({ errors: [] })).toBe(1)
  })

  it('ends with the first failure that is not retryable', async () => {
    const { port, received } = await serveHttp((request, response, raw) =>
      html(received.length < 2 ? 502 : 401)(request, response, raw),
    )
    const client = createTestClient({ port })
    const failure = await failureOf(client.execute({ workflowId: 'w', stepId: 's', event: {} }))
    expect(failure.code).toBe('BridgeAuthenticationFailed')
    expect(client.waits).toEqual([1000])
  })
})

import { AsyncLocalStorage } from 'node:async_hooks'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { createBridge, toNodeHandler, type WorkflowDefinition, workflow } from '@trestle/core'
import type { RecordedCall, RecordedStep, RecordingBridge } from './recording-bridge.ts'

/**
 * Starts a bridge from the core package that records each executed handler by run and step, not by job. Its workflows
 * run the steps of a parallel group concurrently, and the groups one after the other.
 */
export async function startLedBridge(
  workflows: Readonly<Record<string, readonly RecordedStep[]>>,
  timeoutMs: number,
): Promise<RecordingBridge> {
  const calls: RecordedCall[] = []
  const caller = new AsyncLocalStorage<{ readonly from: string; readonly runId: string }>()
  const record = (stepId: string, idempotencyKey: string): void => {
    const { from = '', runId = '' } = caller.getStore() ?? {}
    calls.push({ from, stepId, jobId: `${runId} ${stepId}`, atMs: Date.now(), idempotencyKey })
  }
  const definitions = Object.entries(workflows).map(([id, steps]) => toWorkflow(id, steps, record))
  const handler = toNodeHandler(createBridge({ workflows: definitions, timeoutMs, strictAuthentication: false }))
  const server = createServer(async (request, response) => {
    const rawBody = await buffer(request)
    const { runId = '' } = rawBody.length === 0 ? {} : (JSON.parse(rawBody.toString()) as { readonly runId?: string })
    const header = Object.keys(request.headers).find((name) => name.startsWith('service-signature'))
    const from = header?.slice('service-signature-'.length) ?? ''
    await caller.run({ from, runId }, () => handler(Object.assign(request, { rawBody }), response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/bridge`,
    calls,
    disturb: () => undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type Call = (stepId: string, handler: (controls: object, context: Context) => object) => Promise<unknown>

interface Context {
  readonly idempotencyKey: string
}

function toWorkflow(
  id: string,
  steps: readonly RecordedStep[],
  record: (stepId: string, idempotencyKey: string) => void,
): WorkflowDefinition {
  const groups = new Map<number | string, RecordedStep[]>()
  for (const step of steps) {
    const key = step.parallelGroup ?? step.stepId
    groups.set(key, [...(groups.get(key) ?? []), step])
  }
  return workflow(id, async ({ step }) => {
    const kinds = step as unknown as Readonly<Record<string, Call>>
    for (const group of groups.values())
      await Promise.all(
        group.map(({ stepId, type, outputs }) =>
          kinds[type === 'in_app' ? 'inApp' : type]?.(stepId, (_controls, { idempotencyKey }) => {
            record(stepId, idempotencyKey)
            return outputs
          }),
        ),
      )
  })
}

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { JsonObject } from '@trestle/protocol'

/** A step of a recording bridge: its manifest and its response. */
export interface RecordedStep {
  readonly stepId: string
  readonly type: string
  readonly parallelGroup?: number
  readonly outputs: JsonObject
}

/** A call that reached the bridge. */
export interface RecordedCall {
  /** The calling process, by the suffix of its signature header. */
  readonly from: string
  readonly stepId: string
  readonly jobId: string
  readonly atMs: number
  /** The key by which the handler of a core bridge recognizes a retried call. */
  readonly idempotencyKey?: string
}

/** A response that replaces the bridge's own: a status with a body, or no response. */
export interface Disturbance {
  readonly status?: number
  readonly body?: string
  readonly delayMs?: number
  readonly isCut?: boolean
}

/** A bridge that records every call and sends configurable responses. */
export interface RecordingBridge {
  readonly url: string
  /** Calls of `execute`, in order. */
  readonly calls: RecordedCall[]
  /** Returns the disturbance for the calls of a workflow. @default none */
  disturb: (workflowId: string) => Disturbance | undefined
  close(): Promise<void>
}

/** Starts a bridge that records every call. */
export async function startRecordingBridge(
  workflows: Readonly<Record<string, readonly RecordedStep[]>>,
): Promise<RecordingBridge> {
  const calls: RecordedCall[] = []
  const server = createServer(async (request, response) => {
    const query = new URL(request.url ?? '', 'http://bridge').searchParams
    const answer = (body: object): void => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(body))
    }
    if (query.get('action') === 'discover') return answer({ workflows: toManifests(workflows), agents: [] })
    const [workflowId, stepId] = [query.get('workflowId') ?? '', query.get('stepId') ?? '']
    const event = (await json(request)) as { readonly jobId?: string }
    const header = Object.keys(request.headers).find((name) => name.startsWith('service-signature'))
    calls.push({
      from: header?.slice('service-signature-'.length) ?? '',
      stepId,
      jobId: event.jobId ?? '',
      atMs: Date.now(),
    })
    const disturbance = bridge.disturb(workflowId)
    if (disturbance?.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, disturbance.delayMs))
    if (disturbance?.isCut) return response.destroy()
    if (disturbance?.status !== undefined) {
      response.statusCode = disturbance.status
      return response.end(disturbance.body)
    }
    const step = workflows[workflowId]?.find((one) => one.stepId === stepId)
    const metadata = { status: 'success', error: false, duration: 1 }
    answer({ outputs: step?.outputs ?? {}, providers: {}, options: { skip: false }, metadata })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bridge: RecordingBridge = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/bridge`,
    calls,
    disturb: () => undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return bridge
}

function toManifests(workflows: Readonly<Record<string, readonly RecordedStep[]>>): readonly object[] {
  const schema = { schema: {} }
  return Object.entries(workflows).map(([workflowId, steps]) => ({
    workflowId,
    tags: [],
    severity: 'none',
    preferences: {},
    payload: schema,
    controls: schema,
    env: schema,
    warnings: [],
    steps: steps.map(({ stepId, type, parallelGroup }, index) => ({
      stepId,
      type,
      controls: schema,
      outputs: schema,
      results: schema,
      providers: [],
      options: { disableOutputSanitization: false },
      conditional: false,
      parallelGroup: parallelGroup ?? index,
    })),
  }))
}

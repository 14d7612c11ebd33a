import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '@trestle/protocol'
import { onTestFinished } from 'vitest'

/** A call that the test bridge received. */
export interface BridgeCall {
  readonly action: string | null
  readonly stepId: string | null
  readonly body: JsonObject
}

const step = (stepId: string, type: string) => ({
  stepId,
  type,
  controls: { schema: {} },
  outputs: { schema: {} },
  results: { schema: {} },
  providers: [],
  options: {},
  conditional: false,
  parallelGroup: 0,
})
const steps = [step('tell', 'in_app'), step('wait', 'delay'), step('mail', 'email')].map((one, index) => ({
  ...one,
  parallelGroup: index,
}))
/** The workflow it discovers. */
export const bridgeWorkflow = {
  workflowId: 'welcome',
  tags: [],
  severity: 'none',
  preferences: {},
  payload: { schema: {} },
  controls: { schema: {} },
  env: { schema: {} },
  steps,
  warnings: [],
}

/** A response that replaces the test bridge's default one. */
export interface BridgeAnswer {
  readonly status: number
  readonly body: unknown
}

/** A fixed response, or one for each call. `undefined` means the default one. */
export type BridgeAnswers = BridgeAnswer | (() => Promise<BridgeAnswer | undefined>) | undefined

export interface TestBridge {
  readonly url: string
  readonly calls: BridgeCall[]
  /** Replaces the responses to an action. */
  answer(action: string, answers: BridgeAnswers): void
}

/** Serves a bridge whose steps print environment variables, as a careless app would. */
export async function serveBridge(): Promise<TestBridge> {
  const calls: BridgeCall[] = []
  const replaced = new Map<string, BridgeAnswers>()
  const outputsOf = (stepId: string | null, body: JsonObject): JsonObject => {
    const { TOKEN } = (body['env'] ?? {}) as { TOKEN?: string }
    if (stepId === 'wait') return { amount: 1, unit: 'hours' }
    if (stepId === 'mail') return { subject: 'Hello', body: '<p>Hi</p>' }
    return { body: 'Hi', data: { echoed: `token ${TOKEN}` } }
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const query = new URL(request.url ?? '', 'http://bridge').searchParams
      const [action, stepId] = [query.get('action'), query.get('stepId')]
      const body: JsonObject = JSON.parse(Buffer.concat(chunks).toString() || '{}')
      calls.push({ action, stepId, body })
      const answers = replaced.get(action ?? '')
      const given = typeof answers === 'function' ? await answers() : answers
      if (given) {
        response.statusCode = given.status
        response.setHeader('content-type', 'application/json').end(JSON.stringify(given.body))
        return
      }
      const answer =
        action === 'execute' || action === 'preview'
          ? {
              outputs: outputsOf(stepId, body),
              providers: {},
              options: { skip: false },
              metadata: { status: 'success', error: false, duration: 1 },
            }
          : { workflows: [bridgeWorkflow], agents: [] }
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/bridge`,
    calls,
    answer: (action, answers) => replaced.set(action, answers),
  }
}

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '@trestle/protocol'
import { onTestFinished } from 'vitest'

/** A call a test's bridge has received. */
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
const workflow = {
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

/** Serves a bridge whose steps print the environment's variables, as a careless app would. */
export async function serveBridge(): Promise<{ url: string; calls: BridgeCall[] }> {
  const calls: BridgeCall[] = []
  const outputsOf = (stepId: string | null, body: JsonObject): JsonObject => {
    const { TOKEN } = (body['env'] ?? {}) as { TOKEN?: string }
    if (stepId === 'wait') return { amount: 1, unit: 'hours' }
    if (stepId === 'mail') return { subject: 'Hello', body: '<p>Hi</p>' }
    return { body: 'Hi', data: { echoed: `token ${TOKEN}` } }
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const query = new URL(request.url ?? '', 'http://bridge').searchParams
      const [action, stepId] = [query.get('action'), query.get('stepId')]
      const body: JsonObject = JSON.parse(Buffer.concat(chunks).toString() || '{}')
      calls.push({ action, stepId, body })
      const answer =
        action === 'execute'
          ? {
              outputs: outputsOf(stepId, body),
              providers: {},
              options: { skip: false },
              metadata: { status: 'success', error: false, duration: 1 },
            }
          : { workflows: [workflow], agents: [] }
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/bridge`, calls }
}

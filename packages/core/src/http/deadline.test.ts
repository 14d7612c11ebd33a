import { describe, expect, it } from 'vitest'
import { ask, flow } from '../call-bridge.fixture.ts'
import { workflow } from '../workflow/workflow.ts'

const never = new Promise<never>(() => undefined)
const anything = { input: () => ({}), output: () => ({}) }
const neverSchema = {
  '~standard': { version: 1, vendor: 'test', validate: () => never, jsonSchema: anything },
} as const
const options = { timeoutMs: 60 }
const timedOut = { status: 504, body: { code: 'StepExecutionTimeoutError', data: { timeoutMs: 60 } } }

describe('the deadline', () => {
  it.each(['execute', 'preview'])('ends %s when a payload schema never settles', async (action) => {
    const tested = workflow('f', async ({ step }) => step.custom('T', () => ({})), { payloadSchema: neverSchema })
    expect(await ask(tested, { action, step: 'T', options })).toMatchObject(timedOut)
  })

  it('ends discover when a payload schema never settles', async () => {
    // Discovery modules are loaded by the first call, which may take longer than the deadline here.
    expect(
      (
        await ask(
          flow(({ step }) => step.custom('T', () => ({}))),
          { action: 'discover' },
        )
      ).status,
    ).toBe(200)
    const tested = workflow('f', async ({ step }) => step.custom('T', () => ({})), { payloadSchema: neverSchema })
    const { body } = await ask(tested, { action: 'discover', options })
    expect(body.code).toBe('WorkflowDiscoveryFailedError')
  })

  it('ends a call when a control schema, an output schema, a handler, skip or a provider never settles', async () => {
    const flows = [
      flow(({ step }) => step.custom('T', () => ({}), { controlSchema: neverSchema })),
      flow(({ step }) => step.custom('T', () => ({}), { outputSchema: neverSchema })),
      flow(({ step }) => step.custom('T', () => never)),
      flow(({ step }) => step.custom('T', () => ({}), { skip: () => never })),
      flow(({ step }) => step.sms('T', () => ({ body: '' }), { providers: { twilio: () => never } })),
    ]
    for (const tested of flows) expect(await ask(tested, { step: 'T', options })).toMatchObject(timedOut)
  })

  it('ends a call when the nonce store never settles', async () => {
    const { createBridge } = await import('./create-bridge.ts')
    const { sign } = await import('@trestle/protocol')
    const body = '{}'
    const bridge = createBridge({
      secretKey: 's',
      strictAuthentication: true,
      timeoutMs: 60,
      nonceStore: { claim: () => never },
      logger: { warn: () => undefined, error: () => undefined },
    })
    const response = await bridge.fetch(
      new Request('http://localhost/?action=execute', {
        method: 'POST',
        body,
        headers: { 'service-signature': await sign('s', body) },
      }),
    )
    expect(response.status).toBe(504)
  })

  it('aborts the signal of a handler after the response is settled', async () => {
    let aborted: unknown
    const tested = flow(({ step }) =>
      step.custom('T', (_controls, { signal }) => {
        signal.addEventListener('abort', () => {
          aborted = signal.reason
        })
        return never
      }),
    )
    expect(await ask(tested, { step: 'T', options })).toMatchObject(timedOut)
    expect(aborted).toMatchObject({ code: 'StepExecutionTimeoutError' })
  })

  it('does not abort the signal after a normal end', async () => {
    let signal: AbortSignal | undefined
    await ask(
      flow(({ step }) =>
        step.custom('T', (_controls, context) => {
          signal = context.signal
          return {}
        }),
      ),
      { step: 'T', options },
    )
    await new Promise((resolve) => setTimeout(resolve, 80))
    expect(signal?.aborted).toBe(false)
  })
})

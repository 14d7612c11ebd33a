import { readFileSync } from 'node:fs'
import { type BridgeOptions, createBridge, type Step, workflow } from '@trestle/core'
import { agent } from '@trestle/core/agents'
import { sign } from '@trestle/protocol'
import { expect, test } from 'vitest'

const page = readFileSync(new URL('../../packages/docs/errors.md', import.meta.url), 'utf8')
const [, bridgePart = ''] = page.split(/^## /m)
const documentedMessages = new Map(
  bridgePart
    .split(/^### /m)
    .slice(1)
    .map((section) => [/^`(\w+)`/.exec(section)?.[1] ?? '', /\*\*Message:\*\* `(.+)`/.exec(section)?.[1] ?? '']),
)

const secretKey = 'the-key'
const mail = () => ({ subject: 'S', body: '<p>B</p>' })
const payloadSchema = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } as const
type Tools = { readonly step: Step }

/** A call that differs from a valid one. */
interface Case {
  /** The workflow function. @default an email */
  readonly run?: (tools: Tools) => Promise<unknown>
  readonly options?: BridgeOptions
  readonly query?: string
  readonly method?: string
  readonly body?: object
  readonly header?: string | null
}

const cases: readonly (readonly [code: string, given: Case])[] = [
  ['SignatureNotFoundError', { header: null }],
  ['SigningKeyNotFoundError', { options: { secretKey: [] } }],
  ['SignatureInvalidError', { header: 'v1=00' }],
  ['SignatureMismatchError', { header: `t=${Date.now()},v1=${'0'.repeat(64)}` }],
  ['SignatureExpiredError', { options: { nonceStore: { claim: () => false } } }],
  ['NonceStoreUnavailableError', { options: { nonceStore: { claim: () => Promise.reject(new Error('down')) } } }],
  ['MethodNotAllowedError', { method: 'DELETE' }],
  ['InvalidActionError', { query: 'action=exec' }],
  ['RequestBodyInvalidError', { body: { state: {} } }],
  ['PayloadTooLarge', { body: { payload: { id: 'x'.repeat(10_485_760) } } }],
  ['WorkflowNotFoundError', { query: 'action=execute&workflowId=order-shiped&stepId=mail' }],
  ['WorkflowAlreadyExistsError', { options: { workflows: [make(), make()] } }],
  ['WorkflowPayloadInvalidError', { options: { workflows: [make(undefined, { payloadSchema })] } }],
  ['WorkflowExecutionFailedError', { run: () => Promise.reject(new TypeError('Cannot read properties of undefined')) }],
  [
    'WorkflowDiscoveryFailedError',
    { run: () => Promise.reject(new TypeError('x is not a function')), query: 'action=discover', method: 'GET' },
  ],
  ['StepNotFoundError', { query: 'action=execute&workflowId=order-shipped&stepId=mial' }],
  ['StepAlreadyExistsError', { run: ({ step }) => Promise.all([step.email('mail', mail), step.email('mail', mail)]) }],
  [
    'StepExecutionFailedError',
    { run: ({ step }) => step.email('mail', () => Promise.reject(new Error('connect ECONNREFUSED'))) },
  ],
  [
    'StepControlCompilationFailedError',
    {
      run: ({ step }) => step.email('mail', mail, { controlSchema: subject }),
      body: { controls: { subject: '{{ paylod.x }}' } },
    },
  ],
  ['ExecutionStateControlInvalidError', { run: ({ step }) => step.email('mail', mail, { controlSchema: subject }) }],
  ['ExecutionStateOutputInvalidError', { run: ({ step }) => step.email('mail', () => ({ subject: 'S' }) as never) }],
  [
    'ExecutionStateResultInvalidError',
    {
      run: async ({ step }) => {
        await step.custom('prices', () => ({ total: 1 }), { outputSchema: total })
        await step.email('mail', mail)
      },
      body: { state: [{ stepId: 'prices', outputs: { total: 'x' }, state: { status: 'completed' } }] },
    },
  ],
  [
    'ExecutionStateCorruptError',
    {
      run: async ({ step }) => {
        await step.delay('wait', () => ({ amount: 1, unit: 'hours' }))
        await step.email('mail', mail)
      },
    },
  ],
  [
    'ProviderNotFoundError',
    { run: ({ step }) => step.email('mail', mail, { providers: { sendgrit: () => ({}) } as never }) },
  ],
  [
    'ProviderExecutionFailedError',
    {
      run: ({ step }) =>
        step.email('mail', mail, { providers: { sendgrid: () => Promise.reject(new Error('no template')) } }),
    },
  ],
  [
    'ExecutionProviderOutputInvalidError',
    {
      run: ({ step }) =>
        step.sms('text', () => ({ body: 'B' }), { providers: { twilio: () => ({ maxPrice: 'x' }) as never } }),
      query: 'action=execute&workflowId=order-shipped&stepId=text',
    },
  ],
  ['AgentNotFoundError', { query: 'action=agent-event&agentId=support&event=onMessage' }],
  [
    'AgentAlreadyExistsError',
    {
      options: { agents: [answer(), answer()] },
      query: 'action=agent-event&agentId=support&event=onMessage',
    },
  ],
]

const subject = { type: 'object', properties: { subject: { type: 'string' } }, required: ['subject'] } as const
const total = { type: 'object', properties: { total: { type: 'number' } } } as const

function answer() {
  return agent('support', { onMessage: () => undefined })
}

function make(run: Case['run'] = ({ step }) => step.email('mail', mail), options = {}) {
  return workflow('order-shipped', async (tools) => void (await run(tools)), options)
}

async function ask({ run, options, query = 'action=execute&workflowId=order-shipped&stepId=mail', ...given }: Case) {
  const { method = 'POST', body = {}, header } = given
  const bridge = createBridge({
    ...{ workflows: [make(run)], secretKey, strictAuthentication: true, logger: { warn() {}, error() {} } },
    ...options,
  })
  const sent = method === 'POST' ? JSON.stringify(body) : undefined
  const signature = header === undefined ? await sign(secretKey, sent ?? '{}') : header
  const headers = { 'content-type': 'application/json', ...(signature !== null && { 'service-signature': signature }) }
  const request = new Request(`http://bridge/?${query}`, { method, headers, ...(sent && { body: sent }) })
  return (await (await bridge.fetch(request)).json()) as { code: string; message: string }
}

test.each(cases)('errors.md shows the message of %s unchanged', async (code, given) => {
  expect(await ask(given)).toMatchObject({ code, message: documentedMessages.get(code) })
})

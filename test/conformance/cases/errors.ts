import { workflow } from '@trestle/core'
import { type ErrorCode, errorStatuses, type StepType } from '@trestle/protocol'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Call } from '../call.ts'
import { echoQuery, event, stored, workflows } from '../fixture.ts'
import type { Mount } from '../mounts/mount.ts'
import { useSite } from '../site.ts'

const never = (): Promise<never> => new Promise(() => undefined)

const failing = workflow('failing', async ({ step, payload }) => {
  if (payload['throw']) throw new Error('before a step')
  if (payload['hang']) await never()
  if (payload['double']) await Promise.all([step.custom('same', () => ({})), step.custom('same', () => ({}))])
  if (payload['foreign'])
    await step.email('foreign', () => ({ subject: 's', body: 'b' }), {
      providers: { 'carrier-pigeon': () => ({}) } as never,
    })
  await step.custom('handler', () => {
    throw new Error('in the handler')
  })
  await step.custom('skip', () => ({}), {
    skip: () => {
      throw new Error('in skip')
    },
  })
  await step.custom('slow', never)
  await step.custom('slow-skip', () => ({}), { skip: never })
  await step.email('template', ({ subject }) => ({ subject, body: 'b' }), {
    controlSchema: z.object({ subject: z.string().default('') }),
  })
  await step.email('output', () => ({ subject: 1, body: 'b' }) as never)
  await step.email('provider', () => ({ subject: 's', body: 'b' }), {
    providers: {
      sendgrid: () => {
        throw new Error('in the provider')
      },
    },
  })
  await step.email('slow-provider', () => ({ subject: 's', body: 'b' }), { providers: { sendgrid: never } })
  await step.email('provider-output', () => ({ subject: 's', body: 'b' }), {
    providers: { sendgrid: () => ({ subject: 5 }) as never },
  })
})

const ids = ['handler', 'skip', 'slow', 'slow-skip', 'template', 'output', 'provider', 'slow-provider']
const state = ids.map((id) => stored(id))
const step = (stepId: string, body: object = {}): Call => ({
  query: { action: 'execute', workflowId: 'failing', stepId },
  body: { ...event, state, ...body },
})
const issues = [{ path: expect.any(String), message: expect.any(String) }]
/** What a timeout message must name, by title. */
const slowParts: Readonly<Record<string, string>> = {
  'the handler never ends': 'handler',
  'skip never ends': 'skip',
  'a provider never ends': 'sendgrid',
}
/** Long enough to reach the step on a busy machine. */
const timedOut = { timeoutMs: 1500 }
const stack = { stack: expect.any(String) }
/** The data of an error that belongs to a step. */
const at = (stepId: string, type: StepType, data: object = {}): object => ({ stepId, type, ...data })
const onSubject = { path: '/subject', message: expect.any(String) }

/** For each code, a way to cause it, and its `data`. Signature codes have separate cases. */
const rows: readonly [code: ErrorCode, title: string, call: Call, data: unknown][] = [
  ['MethodNotAllowedError', 'DELETE', { method: 'DELETE' }, null],
  ['InvalidActionError', 'an unknown action', { query: 'action=nonsense', body: event }, null],
  ['RequestBodyInvalidError', 'controls are text', step('handler', { controls: 'x' }), issues],
  ['WorkflowNotFoundError', 'no such workflow', { query: { ...echoQuery, workflowId: 'x' }, body: event }, null],
  [
    'WorkflowPayloadInvalidError',
    'a payload without id',
    { query: { action: 'execute', workflowId: 'order', stepId: 'inbox' }, body: event },
    [{ path: '/id', message: expect.any(String) }],
  ],
  [
    'WorkflowPayloadInvalidError',
    'the same in a trigger',
    { query: { action: 'trigger', workflowId: 'order' }, body: { to: 'a' } },
    [{ path: '/id', message: expect.any(String) }],
  ],
  [
    'WorkflowExecutionFailedError',
    'the function throws before the step',
    step('handler', { payload: { throw: true } }),
    stack,
  ],
  ['StepNotFoundError', 'no such step', { query: { ...echoQuery, stepId: 'x' }, body: event }, null],
  [
    'StepAlreadyExistsError',
    'one id twice in parallel',
    step('same', { payload: { double: true } }),
    { workflowId: 'failing', stepId: 'same' },
  ],
  ['StepExecutionFailedError', 'the handler throws', step('handler'), at('handler', 'custom', stack)],
  ['StepExecutionFailedError', 'skip throws', step('skip'), at('skip', 'custom', stack)],
  ['StepExecutionTimeoutError', 'the handler never ends', step('slow'), at('slow', 'custom', timedOut)],
  ['StepExecutionTimeoutError', 'skip never ends', step('slow-skip'), at('slow-skip', 'custom', timedOut)],
  ['StepExecutionTimeoutError', 'a provider never ends', step('slow-provider'), at('slow-provider', 'email', timedOut)],
  [
    'StepExecutionTimeoutError',
    'the function never reaches the step',
    step('handler', { payload: { hang: true } }),
    timedOut,
  ],
  [
    'StepControlCompilationFailedError',
    'a template that ends too early',
    step('template', { controls: { subject: '{{ payload.' } }),
    at('template', 'email', { ...onSubject, line: 1, column: expect.any(Number) }),
  ],
  [
    'StepControlCompilationFailedError',
    'an unknown filter',
    step('template', { controls: { subject: '{{ 1 | nobody }}' } }),
    at('template', 'email', { ...onSubject, line: 1, column: expect.any(Number) }),
  ],
  [
    'ExecutionStateControlInvalidError',
    'a control of the wrong type',
    step('template', { controls: { subject: { a: 1 } } }),
    at('template', 'email', { issues: [onSubject] }),
  ],
  [
    'ExecutionStateOutputInvalidError',
    'an output of the wrong type',
    step('output'),
    at('output', 'email', { issues: [onSubject] }),
  ],
  [
    'ExecutionStateResultInvalidError',
    'a stored result of the wrong type',
    {
      query: { action: 'execute', workflowId: 'order', stepId: 'wait' },
      body: {
        ...event,
        payload: { id: '1' },
        state: [stored('inbox', { seen: 1, read: false, lastSeenDate: null, lastReadDate: null })],
      },
    },
    at('inbox', 'in_app', { issues: [{ path: '/seen', message: expect.any(String) }] }),
  ],
  [
    'ExecutionStateCorruptError',
    'an earlier step missing',
    { query: { action: 'execute', workflowId: 'order', stepId: 'wait' }, body: { ...event, payload: { id: '1' } } },
    { workflowId: 'order', stepId: 'inbox' },
  ],
  [
    'ProviderNotFoundError',
    'an unknown provider',
    step('foreign', { payload: { foreign: true } }),
    at('foreign', 'email'),
  ],
  ['ProviderExecutionFailedError', 'the provider throws', step('provider'), at('provider', 'email', stack)],
  [
    'ExecutionProviderOutputInvalidError',
    'what the provider returns is of the wrong type',
    step('provider-output'),
    at('provider-output', 'email', { issues: [onSubject] }),
  ],
  [
    'AgentNotFoundError',
    'no such agent',
    { query: { action: 'agent-event', agentId: 'a', event: 'e' }, body: {} },
    null,
  ],
]

const elsewhere: readonly ErrorCode[] = [
  ...(['AgentAlreadyExistsError', 'AgentBusyError', 'NonceStoreUnavailableError'] as const),
  ...(['SignatureNotFoundError', 'SigningKeyNotFoundError', 'SignatureInvalidError', 'SignatureExpiredError'] as const),
  ...([
    'SignatureMismatchError',
    'PayloadTooLarge',
    'WorkflowAlreadyExistsError',
    'WorkflowDiscoveryFailedError',
  ] as const),
  ...(['MissingSecretKeyError', 'ApiRequestFailedError', 'BridgeError'] as const),
]

/** The table of errors: protocol 6; specification, "Errors raised by the bridge application". */
export function errors(mount: Mount): void {
  describe('errors', () => {
    const site = useSite(mount, { workflows: [...workflows, failing] })
    const hasty = useSite(mount, { workflows: [...workflows, failing], ...timedOut })

    test('cover every code', () => {
      const covered = new Set([...rows.map(([code]) => code), ...elsewhere])
      expect(Object.keys(errorStatuses).filter((code) => !covered.has(code as ErrorCode))).toEqual([])
    })

    test.each(rows)('%s: %s', async (code, title, call, data) => {
      const { status, json } = await (code === 'StepExecutionTimeoutError' ? hasty : site).call(call)
      expect(json).toEqual({ code, message: expect.any(String), data })
      expect(status).toBe(errorStatuses[code])
      expect(json.message).toContain(slowParts[title] ?? '')
      expect(json.message.length).toBeGreaterThan(10)
    })

    test('do not include a failing provider in a preview, which returns a sample', async () => {
      const { status, json } = await site.call({
        ...step('provider'),
        query: { action: 'preview', workflowId: 'failing', stepId: 'provider' },
      })
      expect([status, Object.keys(json.providers)]).toEqual([200, ['sendgrid']])
    })
  })
}

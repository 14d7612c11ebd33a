import { type WorkflowDefinition, workflow } from '@trestle/core'
import { describe, expect, test } from 'vitest'
import { event } from '../fixture.ts'
import type { Mount } from '../mounts/mount.ts'
import { useSite } from '../site.ts'

const timeoutMs = 150

function ownCause(): Error {
  const error = new Error('its own cause')
  error.cause = error
  return error
}

function circular(): object {
  const value: Record<string, unknown> = { body: 'b' }
  value['self'] = value
  return value
}

const getters = {
  get message() {
    throw new Error('message')
  },
  get stack() {
    throw new Error('stack')
  },
  get code() {
    throw new Error('code')
  },
  get name() {
    throw new Error('name')
  },
  get body() {
    throw new Error('body')
  },
  get toJSON() {
    throw new Error('toJSON')
  },
}

const thenable = {
  get then() {
    throw new Error('then')
  },
}

const trap = (): never => {
  throw new Error('a trap')
}
const hostileProxy = new Proxy(
  {},
  { get: trap, has: trap, ownKeys: trap, getPrototypeOf: trap, getOwnPropertyDescriptor: trap },
)

/** The expected outcome for a returned value: it is an object in JSON, it is rejected, or reading it throws. */
type Fate = 'carried' | 'refused' | 'throws'

/** Values that user code can throw or return. */
const things: readonly [name: string, make: () => unknown, fate: Fate][] = [
  ['undefined', () => undefined, 'refused'],
  ['null', () => null, 'refused'],
  ['text', () => 'text', 'refused'],
  ['zero', () => 0, 'refused'],
  ['a frozen object', () => Object.freeze({ body: 'b' }), 'carried'],
  ['an object whose getters throw', () => getters, 'refused'],
  ['a proxy whose traps throw', () => hostileProxy, 'throws'],
  ['an object whose then throws', () => thenable, 'throws'],
  ['an error that is its own cause', ownCause, 'refused'],
  ['a BigInt', () => 10n, 'refused'],
  ['a BigInt inside', () => ({ body: 10n }), 'refused'],
  ['a symbol', () => Symbol('s'), 'refused'],
  ['a circular object', circular, 'refused'],
  ['a function', () => () => 1, 'refused'],
  ['a function inside', () => ({ body: () => 1 }), 'refused'],
  ['NaN inside', () => ({ body: Number.NaN }), 'refused'],
  ['an object nested 20 000 levels deep', () => nest(20_000), 'refused'],
  ['a revoked proxy', revoked, 'throws'],
  [
    'an object with the code of an error of ours',
    () => ({ code: 'WorkflowNotFoundError', status: 404, message: 'm' }),
    'carried',
  ],
  [
    'an error with a status',
    () => Object.assign(new Error('m'), { status: 200, statusCode: 200, code: 'StepNotFoundError' }),
    'carried',
  ],
]

function nest(levels: number): object {
  let value: object = {}
  for (let level = 0; level < levels; level++) value = { value }
  return value
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

const returned = {
  carried: [undefined, 200],
  refused: ['ExecutionStateOutputInvalidError', 400],
  // Awaiting such a value runs its code.
  throws: ['StepExecutionFailedError', 502],
} as const

const raise = (make: () => unknown) => (): never => {
  throw make()
}
const never = (): Promise<never> => new Promise(() => undefined)
const list = (...some: unknown[]): readonly WorkflowDefinition[] => some as readonly WorkflowDefinition[]

/** A library schema with custom code. */
function schema(validate: (value: unknown) => unknown): unknown {
  const jsonSchema = { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) }
  return { '~standard': { version: 1, vendor: 'hostile', validate, jsonSchema } }
}

const custom = (handler: () => unknown, options: object = {}): unknown =>
  workflow('hostile', async ({ step }) => void (await step.custom('step', handler as never, options as never)))

/** For any behavior of user code, the response is JSON with the right code, and the process survives: protocol 6. */
export function hostile(mount: Mount): void {
  const query = { action: 'execute', workflowId: 'hostile', stepId: 'step' }

  describe.each(things)('%s', (_name, make, fate) => {
    const rows: readonly [place: string, workflow: unknown, code: string | undefined, status: number][] = [
      ['thrown by a handler', custom(raise(make)), 'StepExecutionFailedError', 502],
      ['rejected by a handler', custom(async () => raise(make)()), 'StepExecutionFailedError', 502],
      ['returned by a handler', custom(make), ...returned[fate]],
      ['thrown by skip', custom(() => ({}), { skip: raise(make) }), 'StepExecutionFailedError', 502],
      ['thrown by a workflow function', workflow('hostile', raise(make)), 'WorkflowExecutionFailedError', 502],
      [
        'rejected by a workflow function',
        workflow('hostile', async () => raise(make)()),
        'WorkflowExecutionFailedError',
        502,
      ],
      [
        'returned by a workflow function',
        workflow('hostile', make as never),
        ...(fate === 'throws'
          ? (['WorkflowExecutionFailedError', 502] as const)
          : (['StepNotFoundError', 404] as const)),
      ],
      [
        'thrown by a payload schema',
        workflow('hostile', async ({ step }) => void (await step.custom('step', () => ({}))), {
          payloadSchema: schema(raise(make)) as never,
        }),
        'WorkflowPayloadInvalidError',
        400,
      ],
      [
        'returned by a payload schema',
        workflow('hostile', async ({ step }) => void (await step.custom('step', () => ({}))), {
          payloadSchema: schema(make) as never,
        }),
        undefined,
        0,
      ],
      [
        'thrown by a control schema',
        custom(() => ({}), { controlSchema: schema(raise(make)) }),
        'ExecutionStateControlInvalidError',
        400,
      ],
      [
        'thrown by an output schema',
        custom(() => ({}), { outputSchema: schema(raise(make)) }),
        'ExecutionStateOutputInvalidError',
        400,
      ],
      [
        'thrown by a provider',
        workflow('hostile', async ({ step }) => {
          await step.email('step', () => ({ subject: 's', body: 'b' }), {
            providers: { sendgrid: raise(make) as never },
          })
        }),
        'ProviderExecutionFailedError',
        502,
      ],
    ]
    describe.each(rows)('%s', (_place, hostileWorkflow, code, status) => {
      const site = useSite(mount, { workflows: list(hostileWorkflow), timeoutMs: 2000 })
      test(`${status || 'answered'} ${code ?? ''}`, async () => {
        const answer = await site.call({ query, body: event })
        expect(answer.json).toBeTypeOf('object')
        if (status > 0) expect([answer.status, answer.json.code]).toEqual([status, code])
        // The output of a schema that violates its own contract may be accepted or rejected.
        else expect(answer.json.code).not.toBe('BridgeError')
        const discovered = await site.call({ query: { action: 'discover' } })
        expect(discovered.json).toBeTypeOf('object')
        expect([200, 500]).toContain(discovered.status)
        expect(discovered.json.code).not.toBe('BridgeError')
        expect((await site.call({ signature: null })).json).toEqual({ status: 'ok' })
      })
    })
  })

  describe('a promise that never settles', () => {
    const at = { stepId: 'step', type: 'custom' }
    const rows: readonly [place: string, workflow: unknown, data: object][] = [
      ['returned by a handler', custom(never), at],
      ['returned by skip', custom(() => ({}), { skip: never }), at],
      ['returned by a workflow function', workflow('hostile', never), {}],
    ]
    describe.each(rows)('%s', (_place, hostileWorkflow, data) => {
      const site = useSite(mount, { workflows: list(hostileWorkflow), timeoutMs })
      test('504 StepExecutionTimeoutError', async () => {
        const { status, json } = await site.call({ query: { ...query, stepId: 'step' }, body: event })
        expect([status, json.code, json.data]).toEqual([504, 'StepExecutionTimeoutError', { timeoutMs, ...data }])
      })
    })
    const hung = useSite(mount, { workflows: list(workflow('hostile', never)), timeoutMs })
    test('discover: 500 WorkflowDiscoveryFailedError', async () => {
      const { status, json } = await hung.call({ query: { action: 'discover' } })
      expect([status, json.code]).toEqual([500, 'WorkflowDiscoveryFailedError'])
    })
  })

  describe('a logger and hooks that throw', () => {
    const broken = { warn: trap, error: trap }
    const site = useSite(mount, {
      workflows: list(custom(trap)),
      logger: broken,
      hooks: { onReply: trap, onError: trap },
    })
    test('have no effect', async () => {
      const { status, json } = await site.call({ query, body: event })
      expect([status, json.code]).toEqual([502, 'StepExecutionFailedError'])
    })
  })
}

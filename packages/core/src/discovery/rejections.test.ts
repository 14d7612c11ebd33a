import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ask, flow } from '../call-bridge.fixture.ts'
import type { WorkflowDefinition } from '../workflow/workflow.ts'

// biome-ignore lint/suspicious/noExplicitAny: the workflows read data that nothing describes.
type Data = any

const sms = (step: Data, id: string): Promise<unknown> => step.sms(id, () => ({ body: 'x' }))
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const unhandled: unknown[] = []
const note = (reason: unknown): void => void unhandled.push(reason)
let others: NodeJS.UnhandledRejectionListener[] = []

beforeEach(() => {
  // Only this listener counts the rejections that would terminate the process.
  others = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', note)
  unhandled.length = 0
})

afterEach(() => {
  process.off('unhandledRejection', note)
  for (const one of others) process.on('unhandledRejection', one)
})

const branches: readonly (readonly [string, (context: Data) => unknown])[] = [
  [
    'a branch that is awaited later',
    async ({ step, payload }) => {
      const branch = (async () => {
        if (payload.user.contact.email) await sms(step, 'early')
      })()
      await sms(step, 'between')
      await branch
      await sms(step, 'last')
    },
  ],
  [
    'branches of a list that are awaited later',
    async ({ step, payload }) => {
      const all = ['a', 'b'].map(async (id) => {
        await sms(step, id)
        if (payload.user.contact.phone) await sms(step, `${id}-call`)
      })
      await sms(step, 'between')
      await Promise.all(all)
      await sms(step, 'last')
    },
  ],
  [
    'a chain that is awaited later',
    async ({ step, payload }) => {
      const chain = sms(step, 'first').then(() => payload.user.contact.email && sms(step, 'second'))
      await sms(step, 'between')
      await sms(step, 'last')
      await chain
    },
  ],
  [
    'a branch behind other work',
    async ({ step, payload }) => {
      const branch = (async () => {
        await turn()
        if (payload.user.contact.email) await sms(step, 'early')
      })()
      await sms(step, 'between')
      await turn()
      await sms(step, 'last')
      await branch
    },
  ],
]

describe.each(branches)('%s that fails for sample data', (_name, run) => {
  const definition: WorkflowDefinition = flow(run as never)

  test('causes no unhandled rejection at discovery', async () => {
    const { status, body } = await ask(definition, { action: 'discover' })
    await turn()
    expect([status, unhandled]).toEqual([200, []])
    expect(body.workflows[0].steps.map(({ stepId }: Data) => stepId)).toContain('last')
  })

  test('causes no unhandled rejection in a preview', async () => {
    const { body } = await ask(definition, { action: 'preview', step: 'last', payload: { user: 5 } })
    await turn()
    expect(unhandled).toEqual([])
    expect(body.code ?? body.options).toBeDefined()
  })
})

test('leaves rejections of other code and of real runs unhandled', async () => {
  const [, run] = branches[0] as (typeof branches)[number]
  const definition = flow(run as never)
  const other = (async () => {
    await turn()
    throw new Error('of other code')
  })()
  await ask(definition, { action: 'discover' })
  await turn()
  expect(unhandled).toEqual([expect.objectContaining({ message: 'of other code' })])
  await other.catch(() => undefined)
  unhandled.length = 0
  await ask(definition, { step: 'between', payload: { user: {} } })
  await turn()
  expect(unhandled).toHaveLength(1)
})

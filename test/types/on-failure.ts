import { type OutcomeOf, workflow } from '@trestle/core'
import { z } from 'zod'
import { exactly } from './equal.ts'

// The option `onFailure` of a workflow is the default for the types of its steps.

const body = (): { body: string } => ({ body: 'b' })

export const returning = workflow(
  'returning',
  async ({ step, payload }) => {
    const load = await step.custom('load', () => ({ rate: Number(payload.id) }))
    // @ts-expect-error The step may have failed.
    load.result
    if (load.status === 'completed') exactly<number>()(load.result.rate)
    if (load.status === 'failed') exactly<string>()(load.error.message)
    const text = await step.sms('text', body, { retries: 2 })
    exactly<OutcomeOf<unknown>['status']>()(text.status)
    const inbox = await step.inApp('inbox', body, { onFailure: 'fail' })
    exactly<boolean>()(inbox.read)
    // @ts-expect-error A value that does not exist.
    await step.sms('other', body, { onFailure: 'throw' })
  },
  { payloadSchema: z.object({ id: z.string() }), onFailure: 'return' },
)

export const failing = workflow('failing', async ({ step }) => {
  const load = await step.custom('load', () => ({ rate: 1 }))
  exactly<number>()(load.rate)
})

export const computed = (returns: boolean): unknown =>
  workflow(
    'computed',
    async ({ step }) => {
      const inbox = await step.inApp('inbox', body)
      if ('status' in inbox) exactly<OutcomeOf<unknown>['status']>()(inbox.status)
      else exactly<boolean>()(inbox.read)
      // @ts-expect-error The step may return its outcome.
      inbox.read
    },
    { onFailure: returns ? 'return' : 'fail' },
  )

import { type Workflow, workflow } from '@trestle/core'
import { z } from 'zod'

// Values that handlers can return, without an annotation.

const payloadSchema = z.object({ urgent: z.boolean(), id: z.string() })

export const shapes = workflow(
  'shapes',
  async ({ step, payload }) => {
    await step.delay('one-of-two-units', () =>
      payload.urgent ? { amount: 1, unit: 'hours' } : { amount: 2, unit: 'days' },
    )
    await step.delay('one-of-two-forms', () => {
      if (payload.urgent) return { amount: 1, unit: 'hours' }
      return { cron: '0 9 * * *' }
    })
    await step.digest('one-of-two-types', async () =>
      payload.urgent ? { type: 'timed', cron: '0 9 * * *' } : { amount: 1, unit: 'hours' },
    )
    await step.email('more-or-less', () =>
      payload.urgent ? { subject: 'a', body: 'b' } : { subject: 'a', body: 'b', preheader: 'c' },
    )
    await step.inApp('one-field-or-another', () => (payload.urgent ? { subject: 'b' } : { body: 'b' }))
    await step.sms(
      'controls',
      ({ text, size }) => {
        const typed: string = text
        return { body: typed.repeat(size) }
      },
      { controlSchema: z.object({ text: z.string(), size: z.number() }) },
    )
    // @ts-expect-error A field that an SMS does not have.
    await step.sms('other', () => ({ body: 'a', subject: 'b' }))
    // @ts-expect-error The same in one of two shapes.
    await step.sms('other-too', () => (payload.urgent ? { body: 'a' } : { body: 'a', subject: 'b' }))
    // @ts-expect-error A unit that does not exist.
    await step.delay('unit', () => ({ amount: 1, unit: 'fortnights' }))
    // @ts-expect-error A required field is missing.
    await step.email('body', async () => ({ subject: 'a' }))
    const link: string | undefined = payload.urgent ? payload.id : undefined
    await step.inApp('buttons', async () => ({
      body: 'b',
      primaryAction: link ? { label: 'Open', redirect: { url: link, target: '_blank' } } : undefined,
      redirect: { url: '/', target: '_self' },
      data: { any: { field: [1], of: payload } },
    }))
    // @ts-expect-error A button has no url of its own: it would lead nowhere.
    await step.inApp('url', async () => ({ body: 'b', primaryAction: { label: 'Open', url: payload.id } }))
    await step.inApp(
      'url-too',
      // @ts-expect-error The same in one of two buttons.
      () => ({ body: 'b', secondaryAction: link ? { label: 'Open' } : { label: 'Open', url: payload.id } }),
    )
    await step.inApp('rel', () => ({
      body: 'b',
      // @ts-expect-error A field deeper down.
      primaryAction: { label: 'a', redirect: { url: '/', rel: 'nofollow' } },
    }))
    // @ts-expect-error A field of a sender.
    await step.email('sender', () => ({ subject: 'a', body: 'b', from: { email: 'a@b.test', title: 'c' } }))
    // biome-ignore lint/suspicious/noExplicitAny: What is of any type is checked when the step runs.
    const action: any = { label: 'Open', url: payload.id }
    await step.inApp('any', () => ({ body: 'b', primaryAction: action }))
    const typed: { label: string; redirect: { url: string } } = action
    await step.inApp('typed', () => ({ body: 'b', primaryAction: typed, ...(link && { avatar: link }) }))
  },
  { payloadSchema },
)

export const stored = workflow('stored', async ({ step }) => {
  const { at, ids } = await step.custom('object', async () => ({ at: new Date(), ids: [1, 2] }))
  const text: string = at
  const first: number | undefined = ids[0]
  await step.custom('one-of-two', () => (text ? { ok: true as const } : { ok: false as const, reason: 'x' }))
  const nothing = await step.custom('empty', () => ({}))
  const unknown: unknown = nothing['any']
  // @ts-expect-error Nothing is no object.
  await step.custom('nothing', () => {})
  // @ts-expect-error Neither is what an async function without a result promises.
  await step.custom('promise-of-nothing', async () => {})
  // @ts-expect-error A list is no object of fields.
  await step.custom('list', () => [1, 2])
  // @ts-expect-error Neither is a promise of one.
  await step.custom('promise-of-list', async () => [1, 2])
  // @ts-expect-error A text is no object.
  await step.custom('text', async () => 'x')
  return [first, unknown]
})

// Workflows with any payload in one list.
export const all: readonly Workflow[] = [shapes, stored]

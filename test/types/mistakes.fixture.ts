/** A user's mistake, with the affected line. */
export interface Mistake {
  readonly what: string
  /** Statements inside a workflow function; the line with the mistake ends in `// here`. */
  readonly code: string
}

/**
 * Typical mistakes of new users; each statement looks correct. The compiler cannot detect two more mistakes, which
 * discovery finds: two steps with the same id, and a step without `await`.
 */
export const mistakes: readonly Mistake[] = [
  { what: 'a payload field that does not exist', code: `payload.orderID // here` },
  { what: 'a payload field of another type', code: `const count: number = payload.name // here` },
  {
    what: 'a control that does not exist',
    code: `
await step.sms('s', (controls) => ({
  body: controls.txt, // here
}), { controlSchema: z.object({ text: z.string() }) })`,
  },
  {
    what: 'an option that does not exist',
    code: `
await step.sms('s', () => ({ body: 'b' }), {
  skipp: () => true, // here
})`,
  },
  {
    what: 'a kind of step that does not exist',
    code: `await step.mail('m', () => ({ subject: 's', body: 'b' })) // here`,
  },
  {
    what: 'a provider that does not exist',
    code: `
await step.email('m', () => ({ subject: 's', body: 'b' }), {
  providers: {
    sendgird: () => ({}), // here
  },
})`,
  },
  {
    what: 'a provider field of another type',
    code: `
await step.email('m', () => ({ subject: 's', body: 'b' }), {
  providers: {
    sendgrid: () => ({
      categories: 'news', // here
    }),
  },
})`,
  },
  { what: 'a subscriber field that does not exist', code: `subscriber.mail // here` },
  { what: 'a variable that does not exist', code: `env.SHOP_ULR // here` },
  {
    what: 'a severity that does not exist',
    code: `
workflow('w', async () => undefined, {
  severity: 'urgent', // here
})`,
  },
  {
    what: 'a trigger with a wrong payload',
    code: `
await order.trigger({
  to: 'ada',
  payload: {
    id: 7, // here
  },
})`,
  },
  {
    what: 'a trigger without recipient',
    code: `await order.trigger({ payload: { id: 'o' } }) // here`,
  },
  {
    what: 'a result without await',
    code: `
const inbox = step.inApp('i', () => ({ body: 'b' }))
inbox.read // here`,
  },
  {
    what: 'skip as a value',
    code: `
await step.sms('s', () => ({ body: 'b' }), {
  skip: true, // here
})`,
  },
  {
    what: 'preferences by the name on the wire',
    code: `
workflow('w', async () => undefined, {
  preferences: {
    channels: {
      in_app: { enabled: true }, // here
    },
  },
})`,
  },
  {
    what: 'a mail without subject',
    code: `
await step.email('m', () => ({ body: 'b' })) // here`,
  },
  {
    what: 'a unit that does not exist',
    code: `
await step.delay('d', () => ({
  amount: 1,
  unit: 'hour', // here
}))`,
  },
  {
    what: 'a field that a mail does not have',
    code: `
await step.email('m', () => ({
  subject: 's',
  body: 'b',
  cc: 'x@example.com', // here
}))`,
  },
  {
    what: 'a number as body',
    code: `
await step.sms('s', () => ({
  body: 42, // here
}))`,
  },
  {
    what: 'a text in place of an output',
    code: `
await step.sms('s', () => 'hello') // here`,
  },
  {
    what: 'braces without return',
    code: `
await step.sms('s', () => { body: 'b' }) // here`,
  },
  {
    what: 'a redirect as a text',
    code: `
await step.inApp('i', () => ({
  body: 'b',
  redirect: 'https://example.com', // here
}))`,
  },
  {
    what: 'a button with a url',
    code: `
await step.inApp('i', () => ({
  body: 'b',
  primaryAction: {
    label: 'Open',
    url: 'https://example.com', // here
  },
}))`,
  },
  {
    what: 'a result that does not fit its schema',
    code: `
await step.custom('c', () => ({
  count: 'one', // here
}), { outputSchema: z.object({ count: z.number() }) })`,
  },
  {
    what: 'a result that is a text',
    code: `await step.custom('c', async () => 'done') // here`,
  },
  {
    what: 'a field of a mail result',
    code: `
const mail = await step.email('m', () => ({ subject: 's', body: 'b' }))
mail.opened // here`,
  },
  {
    what: 'an in-app message without content',
    code: `
await step.inApp('i', () => ({ avatar: 'https://example.com/a.png' })) // here`,
  },
  {
    what: 'a look-back window together with a schedule',
    code: `
await step.digest('d', () => ({
  cron: '0 9 * * *',
  lookBackWindow: { amount: 1, unit: 'hours' }, // here
}))`,
  },
  {
    what: 'a digest event without payload',
    code: `
const { events } = await step.digest('d', () => ({ amount: 1, unit: 'hours' }))
events.map((event) => event.name) // here`,
  },
  {
    what: 'a schedule without end',
    code: `
await step.delay('d', () => ({ // here
  amount: 1,
}))`,
  },
]

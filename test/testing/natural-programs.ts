import type { Step } from '@trestle/core'

interface Context {
  readonly step: Step
  // biome-ignore lint/suspicious/noExplicitAny: payloads without a schema.
  readonly payload: any
}

type Run = (context: Context) => Promise<unknown>

const text = () => ({ body: 'b' })
const limit = 100
const countries = new Map([['de', 'eu']])
const items = Array.from({ length: 12 }, (_, index) => ({ id: `i${index}`, cents: index * 50 }))

async function remind(step: Step, name: string): Promise<void> {
  await step.sms(`remind-${name}`, text)
}

function channelOf(account: { tier?: string }): 'chat' | 'sms' {
  switch (account.tier) {
    case 'business':
      return 'chat'
    default:
      return 'sms'
  }
}

/** Natural ways to write conditions and loops, with data that samples do not contain, and the steps that must run. */
export const natural: readonly (readonly [name: string, run: Run, payload: object, steps: readonly string[]])[] = [
  [
    'a loop over items with an index',
    async ({ step, payload }) => {
      for (const [index] of payload.items.entries()) await step.sms(`i-${index}`, text)
      await step.sms('end', text)
    },
    { items },
    [...items.map((_, index) => `i-${index}`), 'end'],
  ],
  [
    'a loop over items with ids made of data',
    async ({ step, payload }) => {
      for (const { id, cents } of payload.items) if (cents / 100 > 4) await step.sms(`pay-${id}`, text)
    },
    { items },
    ['pay-i9', 'pay-i10', 'pay-i11'],
  ],
  [
    'items in parallel',
    async ({ step, payload }) => {
      await Promise.all(payload.items.map(({ id }: { id: string }) => step.sms(id, text)))
    },
    { items },
    items.map(({ id }) => id),
  ],
  [
    'a loop that counts down',
    async ({ step, payload }) => {
      for (let left = payload.count; left > 0; left--) await step.sms(`left-${left}`, text)
    },
    { count: 3 },
    ['left-3', 'left-2', 'left-1'],
  ],
  [
    'a switch in a helper, on a result',
    async ({ step }) => {
      const account = (await step.custom('look', () => ({ tier: 'business' }))) as { tier?: string }
      if (channelOf(account) === 'chat') await step.chat('chat', text)
      else await step.sms('sms', text)
    },
    {},
    ['look', 'chat'],
  ],
  [
    'a helper that takes step',
    async ({ step, payload }) => remind(step, payload.name),
    { name: 'ada' },
    ['remind-ada'],
  ],
  [
    'four conditions at once',
    async ({ step, payload }) => {
      if (payload.a > 7 && payload.b === 'x' && payload.c?.length === 3 && !payload.d) await step.sms('all', text)
    },
    { a: 8, b: 'x', c: [1, 2, 3], d: null },
    ['all'],
  ],
  [
    'a constant of the module',
    async ({ step, payload }) => {
      if (payload.total > limit * 3) await step.sms('large', text)
    },
    { total: 301 },
    ['large'],
  ],
  [
    'a table of the module',
    async ({ step, payload }) => {
      if (countries.get(payload.country) === 'eu') await step.sms('vat', text)
    },
    { country: 'de' },
    ['vat'],
  ],
  [
    'a regular expression with a group',
    async ({ step, payload }) => {
      const [, kind] = /^(ORD|INV)-\d+$/.exec(payload.number) ?? []
      if (kind === 'INV') await step.sms('invoice', text)
    },
    { number: 'INV-17' },
    ['invoice'],
  ],
  [
    'a part of a text',
    async ({ step, payload }) => {
      if (payload.event.split('.').at(-1) === 'deleted') await step.sms('gone', text)
    },
    { event: 'customer.subscription.deleted' },
    ['gone'],
  ],
  [
    'two dates',
    async ({ step, payload }) => {
      const days = (Date.parse(payload.due) - Date.parse(payload.now)) / 86_400_000
      if (days < 3) await step.sms('soon', text)
    },
    { now: '2026-01-01', due: '2026-01-03' },
    ['soon'],
  ],
  [
    'a weekday in a time zone',
    async ({ step, payload }) => {
      const day = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: payload.zone }).format(
        new Date(payload.at),
      )
      if (['Sat', 'Sun'].includes(day)) await step.sms('weekend', text)
      else await step.sms('workday', text)
    },
    { zone: 'Asia/Tokyo', at: '2026-01-02T20:00:00Z' },
    ['weekend'],
  ],
  [
    'the order of the recipient',
    async ({ step, payload }) => {
      for (const channel of payload.channels) {
        if (channel === 'sms') await step.sms('sms', text)
        if (channel === 'chat') await step.chat('chat', text)
      }
    },
    { channels: ['chat', 'sms'] },
    ['chat', 'sms'],
  ],
  [
    'a loop of reminders that a result ends',
    async ({ step }) => {
      for (let count = 0; count < 5; count++) {
        await step.sms(`reminder-${count}`, text)
        const { paid } = (await step.custom(`paid-${count}`, () => ({ paid: count === 2 }))) as { paid?: boolean }
        if (paid) break
      }
    },
    {},
    ['reminder-0', 'paid-0', 'reminder-1', 'paid-1', 'reminder-2', 'paid-2'],
  ],
  [
    'I/O between steps',
    async ({ step, payload }) => {
      await step.sms('first', text)
      await new Promise((resolve) => setImmediate(resolve))
      if (payload.more) await step.sms('second', text)
    },
    { more: true },
    ['first', 'second'],
  ],
  [
    'recursion',
    async ({ step, payload }) => {
      const visit = async (node: { id: string; children?: readonly never[] }): Promise<void> => {
        await step.sms(`node-${node.id}`, text)
        for (const child of node.children ?? []) await visit(child)
      }
      await visit(payload.tree)
    },
    { tree: { id: 'a', children: [{ id: 'b', children: [{ id: 'c' }] }, { id: 'd' }] } },
    ['node-a', 'node-b', 'node-c', 'node-d'],
  ],
  [
    'an early return in a helper',
    async ({ step, payload }) => {
      const isWanted = (): boolean => {
        if (payload.kind.startsWith('test-')) return false
        return payload.score * 2 >= 9
      }
      if (!isWanted()) return
      await step.sms('wanted', text)
    },
    { kind: 'real', score: 4.5 },
    ['wanted'],
  ],
]

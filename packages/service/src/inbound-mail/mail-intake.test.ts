import { expect, it } from 'vitest'
import { createManualClock } from '../clock/manual-clock.ts'
import type { ConversationPorts } from '../conversations/base/conversation-ports.ts'
import type { InboundMailRow } from '../store/schema/domain.ts'
import { createStore, drivers } from '../store/stores.fixture.ts'
import { createMailIntake } from './mail-intake.ts'

const mebibyte = 1024 * 1024

it.for(
  drivers.flatMap((driver) => [
    { driver, count: 300, sizeBytes: 100 },
    { driver, count: 50, sizeBytes: 10 * mebibyte },
  ]),
)('limits the mail that an environment receives per minute: %j', async ({ driver, count, sizeBytes }, context) => {
  const store = await createStore(driver, context)
  const clock = createManualClock(1_000_000)
  const { db } = store
  const common = { data: null, createdAt: 0, updatedAt: 0 }
  for (const name of ['full', 'other']) {
    await db
      .insertInto('domains')
      .values({
        ...{ id: name, environmentId: name, name: `${name}.test`, token: '', status: 'verified', isMxConfigured: 1 },
        ...common,
      })
      .execute()
    await db
      .insertInto('domainRoutes')
      .values({
        ...{ id: name, environmentId: name, domainId: name, address: '*', type: 'webhook', agentId: null },
        ...{ webhookUrl: 'https://app.test/', ...common },
      })
      .execute()
  }
  const row = (number: number): InboundMailRow => ({
    ...{
      id: `${number}`,
      environmentId: 'full',
      dedupeKey: `${number}`,
      domain: 'full.test',
      recipient: 'a@full.test',
    },
    ...{ sender: 'x@y.test', subject: '', messageId: null, sizeBytes, verdict: 'pass', type: 'webhook', target: null },
    ...{ status: 'delivered', reason: null, conversationId: null, attempts: 1, content: '{}' },
    ...{ createdAt: clock.now(), settledAt: clock.now() },
  })
  const insert = (rows: InboundMailRow[]) => db.insertInto('inboundMails').values(rows).execute()
  const { onRecipient } = createMailIntake({ store, clock } as unknown as ConversationPorts)

  await insert(Array.from({ length: count - 1 }, (_, index) => row(index)))
  expect(await onRecipient('a@full.test')).toBeUndefined()
  await insert([row(count)])
  expect(await onRecipient('a@full.test')).toEqual({ code: 451, message: expect.stringMatching(/^4\.7\.1 .*minute/) })
  expect(await onRecipient('a@other.test')).toBeUndefined()
  clock.advance(60_000)
  expect(await onRecipient('a@full.test')).toBeUndefined()
})

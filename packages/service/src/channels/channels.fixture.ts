import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createOutbound } from '@trestle/bridge-client'
import type { JsonObject, MessageType } from '@trestle/protocol'
import { onTestFinished, type TestContext } from 'vitest'
import { systemClock } from '../clock/clock.ts'
import type { SentMessage } from '../engine/port/channel-port.ts'
import { sealedPlaces } from '../secrets/sealed-places.ts'
import { createVault } from '../secrets/vault.ts'
import { createId } from '../store/create-id.ts'
import type { IntegrationRow } from '../store/schema/delivery.ts'
import type { MessageRow } from '../store/schema/message.ts'
import type { Store, StoreDriver } from '../store/store.ts'
import { createStore } from '../store/stores.fixture.ts'
import { createAuthorizer } from './auth/authorizer.ts'
import type { Delivery } from './base/delivery.ts'
import { createContent } from './content/create-content.ts'
import { withContent } from './content/with-content.ts'
import { sendMessage } from './send-message.ts'
import { type StoredMessages, storeMessages } from './store-messages.ts'

export const vault = createVault(new Uint8Array(32).fill(7))
export const environmentId = '0000000000000000000000e1'

/** Channels on an empty database, with loopback addresses allowed. */
export interface TestChannels {
  readonly db: Store['db']
  /** Stores the messages of a step in a separate transaction. */
  put(delivery: Delivery): Promise<StoredMessages>
  /** Sends a message and stores the outcome. */
  send(message: MessageRow): Promise<SentMessage>
  /** Stores and sends messages, and returns their rows afterwards. */
  deliver(delivery: Delivery): Promise<readonly MessageRow[]>
  addIntegration(
    row: Partial<IntegrationRow> & { readonly providerId: string; readonly channel: string },
    credentials?: JsonObject,
  ): Promise<string>
}

export async function createTestChannels(
  driver: StoreDriver,
  context: Pick<TestContext, 'onTestFinished' | 'skip'>,
  requestMs = 2000,
): Promise<TestChannels> {
  const store = await createStore(driver, context)
  const outbound = createOutbound({ allow: ['127.0.0.0/8'], timeoutMs: requestMs, maxAnswerBytes: 65_536 })
  const authorizer = createAuthorizer(outbound)
  const options = { vault, outbound, authorizer, clock: systemClock, timeoutMs: 4000 }
  const { db } = store
  const put = async (delivery: Delivery): Promise<StoredMessages> => {
    const content = await createContent(db, delivery)
    return store.transaction((tx) => storeMessages(tx, { delivery: withContent(delivery, content), content }, vault))
  }
  const send = async (message: MessageRow): Promise<SentMessage> => {
    const sent = await sendMessage(message, options)
    await db.updateTable('messages').set(sent.patch).where('id', '=', message.id).execute()
    return sent
  }
  return {
    db,
    put,
    send,
    async deliver(delivery) {
      const { messages } = await put(delivery)
      for (const message of messages) await send(message)
      const ids = messages.map(({ id }) => id)
      return db.selectFrom('messages').selectAll().where('id', 'in', ids).orderBy('id').execute()
    },
    async addIntegration(row, credentials = {}) {
      const id = createId(Date.now())
      const common = {
        environmentId,
        identifier: id,
        name: id,
        kind: null,
        active: 1,
        isPrimary: 0,
        priority: 0,
      } as const
      const texts = {
        credentials: vault.seal(JSON.stringify(credentials), sealedPlaces.credentials(id)),
        configurations: '{}',
        conditions: '[]',
      }
      await db
        .insertInto('integrations')
        .values({ id, ...common, ...texts, createdAt: 1, updatedAt: 1, ...row })
        .execute()
      return id
    },
  }
}

/** Returns a complete delivery for one step. */
export function toDelivery(
  type: MessageType,
  outputs: JsonObject,
  change: Partial<Delivery> & { overrides?: JsonObject } = {},
): Delivery {
  const { overrides = {}, ...rest } = change
  return {
    environmentId,
    run: {
      id: '0000000000000000000000f1',
      transactionId: 'tx-1',
      workflowId: '0000000000000000000000a1',
      workflowIdentifier: 'welcome',
      payload: { order: 7 },
      overrides,
      contextKeys: [],
      tags: ['a'],
      severity: 'none',
      critical: false,
    },
    job: { id: createId(Date.now()), stepId: 'step', type },
    subscriber: {
      _id: '0000000000000000000000b1',
      subscriberId: 'ada',
      firstName: 'Ada',
      email: 'ada@example.com',
      phone: '+4912345',
      locale: 'de_DE',
      channels: [],
    },
    outputs,
    providers: {},
    nowMs: 1_700_000_000_000,
    ...rest,
  }
}

/** A request that a test receiver has received. */
export interface ReceivedRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: JsonObject
}

/** Starts a webhook receiver on loopback with configurable responses. */
export async function serveWebhook(
  status = 200,
  answer = 'ok',
  answerHeaders: Readonly<Record<string, string>> = {},
): Promise<{ url: string; received: ReceivedRequest[] }> {
  const received: ReceivedRequest[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const { method = '', url = '', headers } = request
      received.push({ method, url, headers, text, body: text.startsWith('{') ? JSON.parse(text) : {} })
      response.writeHead(status, answerHeaders).end(answer)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received }
}

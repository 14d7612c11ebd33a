import type { JsonObject } from '@trestle/protocol'
import type { TestContext } from 'vitest'
import type { ServiceOptions } from '../config/generated/service-options.ts'
import { checkAnswer } from '../openapi/check-answer.fixture.ts'
import { type Service, startService } from '../start/start-service.ts'
import { blankMessage, blankSubscriber } from '../store/blank-rows.ts'
import { createId } from '../store/create-id.ts'
import type { MessageRow } from '../store/schema/message.ts'
import type { StoreDriver } from '../store/store.ts'
import { createDatabase } from '../store/stores.fixture.ts'

/** An API response with a parsed body. */
export interface TestReply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any
}

/** A service on an empty database that stops with its test. */
export interface TestService {
  readonly service: Service
  readonly environmentId: string
  /** All log lines. */
  readonly log: string[]
  /** Calls the API with the key of the environment. */
  call(
    method: string,
    path: string,
    ...more: readonly [body?: unknown, headers?: Readonly<Record<string, string>>]
  ): Promise<TestReply>
  /** Calls the API with a different key. */
  callWith(key: string): TestService['call']
  /** Inserts a subscriber and returns its row id. */
  addSubscriber(subscriberId: string, fields?: JsonObject): Promise<string>
  /** Inserts an in-app message for a subscriber's row and returns its row id. */
  addMessage(subscriberRowId: string, fields?: Partial<MessageRow>): Promise<string>
}

export const secretKey = 'sk_test_0123456789abcdef'
export const productionKey = 'sk_prod_0123456789abcdef'

/** Starts a service on loopback. The engine is off by default. */
export async function startTestService(
  driver: StoreDriver,
  context: TestContext,
  options: ServiceOptions = {},
): Promise<TestService> {
  const { address } = await createDatabase(driver, context)
  const log: string[] = []
  const service = await startService({
    ...address,
    port: 0,
    encryptionKey: Buffer.alloc(32, 5).toString('base64'),
    secretKeys: { Development: secretKey, Production: productionKey },
    logLevel: 'debug',
    log: { write: (line) => log.push(line) },
    work: false,
    stopGraceMs: 500,
    ...options,
  })
  context.onTestFinished(() => service.stop())
  const { db } = service.store
  const environment = await db.selectFrom('environments').select('id').orderBy('id').executeTakeFirstOrThrow()
  const environmentId = environment.id
  const createCall =
    (key: string): TestService['call'] =>
    async (method, path, ...[body, headers = {}]) => {
      const response = await fetch(service.url + path, {
        method,
        headers: {
          authorization: `ApiKey ${key}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      checkAnswer(method, path, { status: response.status, contentType: response.headers.get('content-type'), text })
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: text === '' ? undefined : JSON.parse(text),
      }
    }
  return {
    service,
    environmentId,
    log,
    call: createCall(secretKey),
    callWith: createCall,
    async addSubscriber(subscriberId, fields = {}) {
      const id = createId(Date.now())
      const times = { createdAt: 1, updatedAt: 1 }
      await db
        .insertInto('subscribers')
        .values({ ...blankSubscriber, id, environmentId, subscriberId, ...times, ...fields })
        .execute()
      return id
    },
    async addMessage(subscriberId, fields = {}) {
      const id = createId(Date.now())
      await db
        .insertInto('messages')
        .values({ ...emptyMessage, id, dedupeKey: id, environmentId, subscriberId, ...fields })
        .execute()
      return id
    },
  }
}

const emptyMessage = {
  ...blankMessage,
  runId: '0000000000000000000000f1',
  jobId: '0000000000000000000000f2',
  workflowId: '0000000000000000000000a1',
  workflowIdentifier: 'welcome',
  transactionId: 'tx-1',
  channel: 'in_app',
  providerId: 'novu',
  status: 'sent',
  content: '"Hello"',
  deliveredAt: '[1]',
  createdAt: 1,
  updatedAt: 1,
} as const

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'vitest'
import type { ServiceOptions } from '../config/generated/service-options.ts'
import { checkAnswer } from '../openapi/check-answer.fixture.ts'
import type { StoreDriver } from '../store/store.ts'
import { createDatabase } from '../store/stores.fixture.ts'
import { type Service, startService } from './start-service.ts'

/** The secret keys of a test service. */
export const testKeys = { Development: 'sk_development_0123456789', Production: 'sk_production_0123456789' } as const

/** A response with a parsed body. */
export interface TestAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON; undefined if it is not JSON. */
  readonly json: unknown
}

/** Options of a test call. */
export interface TestCallOptions {
  /** The secret key; null for no header. */
  readonly key?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

/** A listening service on its own empty database. */
export interface TestService {
  readonly service: Service
  /** Calls an operation: method and path, such as `GET /v1/topics`. */
  call(line: string, body?: unknown, options?: TestCallOptions): Promise<TestAnswer>
}

/** Starts a service that stops when the test ends. */
export async function startTestService(
  driver: StoreDriver,
  context: Pick<TestContext, 'onTestFinished' | 'skip'>,
  options: ServiceOptions = {},
): Promise<TestService> {
  const database = await createDatabase(driver, context)
  const dataFolder = mkdtempSync(join(tmpdir(), 'trestle-data-'))
  context.onTestFinished(() => rmSync(dataFolder, { recursive: true, force: true }))
  const service = await startService({
    port: 0,
    logLevel: 'silent',
    secretKeys: testKeys,
    stopGraceMs: 1000,
    dataFolder,
    ...database.address,
    ...options,
  })
  context.onTestFinished(() => service.stop())
  return {
    service,
    async call(line, body, { key = testKeys.Development, headers = {} } = {}) {
      const [method = '', path = ''] = line.split(' ', 2)
      const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
      const response = await fetch(`${service.url}${path}`, {
        method,
        redirect: 'manual',
        headers: {
          ...(key === null ? {} : { authorization: `ApiKey ${key}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...sent,
      })
      const text = await response.text()
      checkAnswer(method, path, { status: response.status, contentType: response.headers.get('content-type'), text })
      return { status: response.status, headers: response.headers, text, json: parse(text) }
    },
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

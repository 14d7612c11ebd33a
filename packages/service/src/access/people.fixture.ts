import { request } from 'node:http'
import type { TestContext } from 'vitest'
import type { Clock } from '../clock/clock.ts'
import type { ServiceOptions } from '../config/generated/service-options.ts'
import { startTestService, type TestService } from '../operations/service.fixture.ts'
import type { StoreDriver } from '../store/store.ts'

export const password = 'correct horse battery'

/** A response with its parsed body. */
export interface BrowserReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any
}

/** A browser with its cookies. */
export interface Browser {
  readonly cookies: Map<string, string>
  /** The environment selected in the studio. */
  environmentId: string
  send(method: string, path: string, ...more: readonly [body?: unknown, headers?: Headers]): Promise<BrowserReply>
  signIn(email: string, secret?: string): Promise<BrowserReply>
  /** Opens a single-use link. */
  use(link: string, fields?: object): Promise<BrowserReply>
}

type Headers = Readonly<Record<string, string>>

/** A service with accounts. */
export interface PeopleService extends TestService {
  readonly url: string
  readonly productionId: string
  browser(): Browser
  /** Creates the first admin. */
  createAdmin(): Promise<Browser>
  /** Invites a person who accepts the invitation. */
  invite(admin: Browser, email: string, roles: object): Promise<Browser>
  /** Returns the id of an account, which an admin looks up. */
  idOf(admin: Browser, email: string): Promise<string>
}

/** Starts a service with accounts, on loopback without TLS unless the options differ. */
export async function startPeopleService(
  driver: StoreDriver,
  context: TestContext,
  options: ServiceOptions = {},
): Promise<PeopleService> {
  const { accounts, ...rest } = options
  const test = await startTestService(driver, context, {
    ...{ studio: true, accounts: { enabled: true, ...accounts } },
    ...rest,
  })
  const { service, environmentId } = test
  const rows = await service.store.db.selectFrom('environments').select(['id', 'name']).execute()
  const productionId = rows.find(({ name }) => name === 'Production')?.id ?? ''
  const url = accounts?.url ?? service.url
  const browser = (): Browser => createBrowser({ reached: service.url, url, environmentId })
  return {
    ...test,
    ...{ url, productionId, browser },
    async createAdmin() {
      const admin = browser()
      await admin.use(service.firstAdminLink ?? '', { email: 'admin@example.com', name: 'Ada' })
      return admin
    },
    async invite(admin, email, roles) {
      const { body } = await admin.send('POST', '/v1/studio/people', { email, role: 'none', ...roles })
      const invited = browser()
      await invited.use(body.data.url, { name: email })
      return invited
    },
    async idOf(admin, email) {
      const { body } = await admin.send('GET', `/v1/studio/people?search=${encodeURIComponent(email)}`)
      return body.data.find((one: { readonly email: string }) => one.email === email).id
    },
  }
}

interface Reached {
  /** The address at which the service listens. */
  readonly reached: string
  /** Its URL for browsers. */
  readonly url: string
  readonly environmentId: string
}

function createBrowser({ reached, url, environmentId }: Reached): Browser {
  const cookies = new Map<string, string>()
  const browser: Browser = {
    cookies,
    environmentId,
    async send(method, path, ...[body, headers = {}]) {
      const sent: Record<string, string> = {
        ...{ 'studio-environment': browser.environmentId, host: new URL(url).host, 'sec-fetch-site': 'same-origin' },
        ...(method === 'GET' ? {} : { origin: new URL(url).origin }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(cookies.size === 0 ? {} : { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') }),
        ...headers,
      }
      const reply = await exchange(reached + path, { method, headers: sent, body })
      for (const line of [reply.headers['set-cookie'] ?? []].flat()) {
        const [, name = '', value = '', rules = ''] = /^([^=]+)=([^;]*);(.*)$/.exec(line) ?? []
        if (/Max-Age=0(;|$)/.test(rules)) cookies.delete(name)
        else cookies.set(name, value)
      }
      return reply
    },
    signIn: (email, secret = password) => browser.send('POST', '/studio/session', { email, password: secret }),
    use: (link, fields = {}) => browser.send('PUT', '/studio/link', { token: tokenOf(link), password, ...fields }),
  }
  return browser
}

/** Returns a clock that tests can advance. */
export function createMovedClock(): { readonly clock: Clock; pass(ms: number): void } {
  let nowMs = Date.now()
  return {
    clock: { now: () => nowMs, sleep: () => new Promise<void>(() => undefined) },
    pass(ms) {
      nowMs += ms
    },
  }
}

/** Returns the token of a single-use link. */
export const tokenOf = (link: string): string => new URLSearchParams(new URL(link).hash.slice(1)).get('link') ?? ''

interface Sent {
  readonly method: string
  readonly headers: Headers
  readonly body: unknown
}

/** Sends a request with `node:http`, because `fetch` cannot send every header of a browser. */
function exchange(address: string, { method, headers, body }: Sent): Promise<BrowserReply> {
  return new Promise((resolve, reject) => {
    const sent = request(address, { method, headers: { ...headers, connection: 'close' } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: parse(text) })
      })
    })
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body))
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

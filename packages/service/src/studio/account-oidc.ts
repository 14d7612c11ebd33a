import { parseUrl } from '@trestle/protocol'
import type { Logger } from 'pino'
import { readCookie, writeCookie } from '../access/identify-person.ts'
import { findOidcAccount, type OidcRefusal } from '../accounts/oidc-account.ts'
import type { Attempted } from '../accounts/sign-in/attempts.ts'
import type { FlowSecrets, OidcProvider } from '../accounts/sign-in/oidc-provider.ts'
import { ApiError } from '../api/api-error.ts'
import type { HttpCall, HttpReply } from '../api/http-call.ts'
import { readText, toObject } from '../json/json.ts'
import type { LinkPagePorts } from './account-link.ts'
import { openSession } from './account-session.ts'
import { pageHeaders } from './page-headers.ts'

/** The path to which the provider redirects. */
export const callbackPath = '/studio/oidc/callback'

/** Dependencies for signing in through the provider. */
export interface OidcPagePorts extends LinkPagePorts {
  readonly logger: Pick<Logger, 'warn'>
}

const lifeMs = 10 * 60_000
/** Sign-in flows are not stored on the server: the browser keeps them, encrypted. */
const place = { table: 'sign-in', column: 'cookie', key: [] } as const

/** Handles browsers that sign in through the provider. */
export const accountOidcPages: Readonly<
  Record<'start' | 'callback', (call: HttpCall, ports: OidcPagePorts) => Promise<HttpReply>>
> = {
  /** Redirects to the provider. */
  async start(call, ports) {
    const { people, vault, clock, logger } = ports
    const provider = await admitVisit(call, ports)
    const to = toOwnPath(new URLSearchParams(call.url.split('?')[1]).get('to'), people.url())
    try {
      const { url, secrets } = await provider.begin(people.url() + callbackPath)
      const flow = vault.for('oidc-flow').seal(JSON.stringify({ ...secrets, to, untilMs: clock.now() + lifeMs }), place)
      const cookie = writeCookie(people.url(), ['oidc', flow], { maxAge: lifeMs / 1000, sameSite: 'Lax' })
      return redirect(url, { 'set-cookie': cookie })
    } catch (error) {
      logger.warn({ err: error }, 'the OpenID provider could not be reached')
      return refuse('unreachable')
    }
  },
  /** Handles the redirect from the provider. */
  async callback(call, ports) {
    const { people, store, clock, logger } = ports
    const provider = await admitVisit(call, ports)
    const flow = readFlow(call, ports)
    if (!flow) return refuse('expired')
    const { oidc: settings } = people.accounts
    if (!settings) return refuse('expired')
    try {
      const identity = await provider.finish(new URL(people.url() + call.url), flow)
      const outcome = await store.serializable((tx) => findOidcAccount(tx, { identity, settings, nowMs: clock.now() }))
      if ('refusal' in outcome) {
        logger.warn({ reason: outcome.refusal }, 'a sign-in through the OpenID provider was refused')
        return refuse(outcome.refusal)
      }
      const operation = 'accounts.signInWithProvider'
      const headers = await openSession(call, ports, { accountId: outcome.accountId, operation })
      // Those of the start and of this call.
      for (let taken = 0; taken < 2; taken++) await people.accounts.attempts.giveBack(toAttempted(call, ports))
      return redirect(flow.to, headers)
    } catch (error) {
      logger.warn({ err: error }, 'a sign-in through the OpenID provider failed')
      return refuse('failed')
    }
  },
}

async function admitVisit(call: HttpCall, ports: OidcPagePorts): Promise<OidcProvider> {
  const { provider, attempts } = ports.people.accounts
  if (!provider) throw new ApiError(404, 'This service has no OpenID provider (SERVICE_OIDC_ISSUER).')
  await attempts.take(toAttempted(call, ports))
  return provider
}

const toAttempted = (call: HttpCall, { people }: OidcPagePorts): Attempted => ({
  kind: 'address',
  name: people.addressOf(call),
})

interface Flow extends FlowSecrets {
  /** The requested studio path. */
  readonly to: string
}

function readFlow(call: HttpCall, { people, vault, clock }: OidcPagePorts): Flow | undefined {
  try {
    const text = vault.for('oidc-flow').open(readCookie(call, people.url(), 'oidc') ?? '', place)
    const { untilMs, ...fields } = toObject(JSON.parse(text))
    const [state, nonce, verifier, to] = ['state', 'nonce', 'verifier', 'to'].map((name) => readText(fields[name]))
    if (!state || !nonce || !verifier || !to || Number(untilMs) < clock.now()) return undefined
    return { state, nonce, verifier, to }
  } catch {
    return undefined
  }
}

/**
 * Returns a path within the studio, never an external address.
 *
 * @param wanted - The requested path; any other address is replaced by the first page.
 * @param url - The service URL for browsers.
 */
export function toOwnPath(wanted: string | null, url: string): string {
  const home = '/studio/'
  const wantedUrl = wanted === null ? undefined : parseUrl(wanted, url)
  // The same parser as in browsers, so it finds the same host.
  if (wantedUrl?.origin !== new URL(url).origin || !wantedUrl.pathname.startsWith(home)) return home
  return wantedUrl.pathname + wantedUrl.search
}

const redirect = (location: string, headers: Readonly<Record<string, string>> = {}): HttpReply => ({
  status: 302,
  headers: { ...pageHeaders, 'cache-control': 'no-store', ...headers, location },
  body: undefined,
})

/** The sign-in page explains the reason; details are in the log. */
const refuse = (reason: OidcRefusal | 'unreachable' | 'expired' | 'failed'): HttpReply =>
  redirect(`/studio/?sign-in=${reason}`)

import { z } from 'zod'
import { admitBrowser, findPerson, type PeopleAccess, readCookie, writeCookie } from '../access/identify-person.ts'
import type { Person } from '../accounts/base/access.ts'
import type { SessionOwner, Visitor } from '../accounts/sign-in/sessions.ts'
import { checkSignIn, isMarkOf, markBrowser } from '../accounts/sign-in/sign-in.ts'
import { ApiError } from '../api/api-error.ts'
import type { HttpCall, HttpReply } from '../api/http-call.ts'
import type { Clock } from '../clock/clock.ts'
import { jsonHeaders } from '../http/error-reply.ts'
import type { Vault } from '../secrets/vault.ts'
import type { Session } from '../store/store.ts'
import { toJson } from './json-reply.ts'
import { readJsonBody } from './read-json-body.ts'

/** Dependencies of account sessions. */
export interface AccountPagePorts {
  readonly db: Session
  readonly vault: Vault
  readonly clock: Clock
  readonly people: PeopleAccess
}

type Methods = Readonly<Record<string, (call: HttpCall, ports: AccountPagePorts) => Promise<HttpReply>>>

const credentials = z.strictObject({
  email: z.string('must be text').min(1, 'must not be empty').max(320),
  password: z.string('must be text').min(1, 'must not be empty').max(1000),
})
const browserSeconds = 400 * 24 * 60 * 60

/** Handles requests for an account's session, by method. */
export const accountSessionMethods: Methods = {
  /** Returns whose session it is, and marks the browser as one in which this account has signed in. */
  async GET(call, ports) {
    const { people, vault } = ports
    const person = await findPerson(call, people)
    const body = await describe(person, ports)
    const { accountId } = person
    if (isMarkOf(vault, readCookie(call, people.url(), 'browser'), accountId)) return toJson(200, body)
    const mark = writeCookie(people.url(), ['browser', markBrowser(vault, accountId)], { maxAge: browserSeconds })
    return toJson(200, body, { 'set-cookie': mark })
  },
  /** Signs in with a password. Always creates a new session. */
  async POST(call, ports) {
    const { people, db, vault } = ports
    admitBrowser(call, people.url())
    const { email, password } = await readJsonBody(call, credentials)
    const { attempts, passwords } = people.accounts
    const checked = await checkSignIn(
      { db, vault, attempts, passwords },
      {
        ...{ email, password, address: people.addressOf(call) },
        browserMark: readCookie(call, people.url(), 'browser'),
      },
    )
    return toJson(201, { signedIn: true }, await openSession(call, ports, { ...checked, operation: 'accounts.signIn' }))
  },
  /** Ends the session of the request. */
  async DELETE(call, { people }) {
    await findPerson(call, people)
    await people.accounts.sessions.close(readCookie(call, people.url(), 'session') ?? '')
    const cleared = writeCookie(people.url(), ['session', ''], { maxAge: 0 })
    return { status: 204, headers: { ...jsonHeaders, 'set-cookie': cleared }, body: undefined }
  },
}

/** Who signed in, and how. */
export interface SignedIn extends SessionOwner {
  /** The name of the audit log entry. */
  readonly operation: string
}

/**
 * Opens a session for an account, ends the browser's previous one, and returns the headers that set its cookie.
 *
 * @throws {ApiError} 401 if the account was disabled, or its password was changed.
 */
export async function openSession(
  call: HttpCall,
  { people, db }: AccountPagePorts,
  { operation, ...owner }: SignedIn,
): Promise<Readonly<Record<string, string>>> {
  const { accounts, url, addressOf } = people
  const visitor: Visitor = { address: addressOf(call), userAgent: call.header('user-agent') }
  const former = readCookie(call, url(), 'session')
  if (former !== undefined) await accounts.sessions.close(former)
  const token = await accounts.sessions.open(owner, visitor)
  if (token === undefined)
    throw new ApiError(401, 'The account was disabled, or its password was changed. Sign in again.')
  const { accountId } = owner
  const account = await db.selectFrom('accounts').select('email').where('id', '=', accountId).executeTakeFirst()
  await accounts.audit.note({
    actor: {
      actorType: 'account',
      ...{ actorId: accountId, actorName: account?.email ?? null, address: visitor.address ?? null },
    },
    ...{ environment: undefined, operation, subject: account?.email, requestId: '' },
  })
  return {
    'set-cookie': writeCookie(url(), ['session', token], { maxAge: Math.floor(accounts.settings.sessionMs / 1000) }),
  }
}

/** Contains no secret: the proof is only in the cookie. */
async function describe(person: Person, { db }: AccountPagePorts): Promise<object> {
  const ids = [...person.roles.keys()]
  const rows =
    ids.length === 0
      ? []
      : await db
          .selectFrom('environments')
          .select(['id', 'name', 'applicationIdentifier', 'bridgeUrl'])
          .where('id', 'in', ids)
          .orderBy('id')
          .execute()
  const environments = rows.map((row) => ({ ...row, role: person.roles.get(row.id) }))
  const { accountId, email, name, managesPeople } = person
  return {
    ...{ openedBy: 'account', session: 'account', bridgeUrl: environments[0]?.bridgeUrl ?? null, environments },
    account: { id: accountId, email, name, managesPeople },
  }
}

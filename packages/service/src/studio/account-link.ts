import { z } from 'zod'
import { admitBrowser } from '../access/identify-person.ts'
import { findLink } from '../accounts/links.ts'
import { redeemLink } from '../accounts/redeem-link.ts'
import type { Attempted } from '../accounts/sign-in/attempts.ts'
import type { HttpCall, HttpReply } from '../api/http-call.ts'
import type { Store } from '../store/store.ts'
import { type AccountPagePorts, openSession } from './account-session.ts'
import { toJson } from './json-reply.ts'
import { readJsonBody } from './read-json-body.ts'

/** Dependencies of one-time links. */
export interface LinkPagePorts extends AccountPagePorts {
  readonly store: Store
}

const token = z.string('must be text').min(1, 'must not be empty').max(200)
const lookUp = z.strictObject({ token })
const redemption = z.strictObject({
  token,
  email: z.string('must be text').max(320).optional(),
  name: z.string('must be text').trim().max(100, 'must have at most 100 characters').optional(),
  password: z.string('must be text').max(1000),
})

/** Handles requests for one-time links, by method. The token is in the body, so that it does not appear in logs. */
export const accountLinkMethods: Readonly<
  Record<string, (call: HttpCall, ports: LinkPagePorts) => Promise<HttpReply>>
> = {
  /** Returns what a link is for, without using it. */
  POST: (call, ports) =>
    limited(call, ports, async () => {
      const given = await readJsonBody(call, lookUp)
      const { purpose, account } = await findLink(ports.db, given.token, ports.clock.now())
      return toJson(200, { purpose, email: account?.email ?? null, name: account?.name ?? '' })
    }),
  /** Redeems a link: sets a password and signs in. */
  PUT: (call, ports) =>
    limited(call, ports, async () => {
      const { store, clock, people } = ports
      const { passwords } = people.accounts
      const given = await readJsonBody(call, redemption)
      const { accountId, purpose } = await redeemLink({ store, passwords, now: () => clock.now() }, given)
      return toJson(200, { purpose }, await openSession(call, ports, { accountId, operation: operations[purpose] }))
    }),
}

const operations = {
  'first-admin': 'accounts.createFirstAdmin',
  invite: 'accounts.acceptInvitation',
  reset: 'accounts.resetPassword',
} as const

async function limited(call: HttpCall, { people }: LinkPagePorts, work: () => Promise<HttpReply>): Promise<HttpReply> {
  admitBrowser(call, people.url())
  const attempted: Attempted = { kind: 'address', name: people.addressOf(call) }
  await people.accounts.attempts.take(attempted)
  const reply = await work()
  await people.accounts.attempts.giveBack(attempted)
  return reply
}

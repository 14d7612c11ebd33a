import { isObject } from '@trestle/protocol'
import { z } from 'zod'
import { ApiError, invalid } from '../../api/api-error.ts'
import { isProduction } from '../../api/environment-type.ts'
import { filledText } from '../../api/input.ts'
import type { OpenCallInput, Proof } from '../../context/open-call.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext, ServiceContext } from '../../context/service-context.ts'
import { needsHash } from '../../inbox/inbox-settings.ts'
import { createSessionToken, sessionMs } from '../../inbox/session-token.ts'
import { isSubscriberHash } from '../../keys/subscriber-hash.ts'
import { countUnread } from '../../messages/count-unread.ts'
import { wakeMessages } from '../../messages/mark-messages.ts'
import { inboxSession } from '../../resources/activity/inbox-session.ts'
import { sealedPlaces } from '../../secrets/sealed-places.ts'
import type { SubscriberRow } from '../../store/schema/subscriber.ts'
import type { Session } from '../../store/store.ts'
import { toOwner } from '../inbox/inbox.ts'
import { longestSnoozeMs } from '../inbox/inbox-changes.ts'
import { loadPreferences, storePreference } from '../preferences/preference-store.ts'
import { scheduleField } from '../preferences/schedule-field.ts'
import { storeSubscriber } from '../subscribers/store-subscriber.ts'
import { profileFields, subscriberIdField } from '../subscribers/subscriber-fields.ts'

const maxBodyBytes = 32 * 1024
const hourMs = 3_600_000

const sessionBody = z.strictObject({
  applicationIdentifier: filledText(100),
  subscriberHash: z.string().max(100).optional(),
  subscriber: z.union([
    subscriberIdField.transform((subscriberId) => ({ subscriberId })),
    z.strictObject({ subscriberId: subscriberIdField, ...profileFields }),
  ]),
  defaultSchedule: scheduleField.optional(),
})

type SessionBody = z.infer<typeof sessionBody>

/** The operation that opens a subscriber's session in a browser. @source service-api.md#authentication */
export const sessionOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    name: 'ownInbox.session',
    access: 'edit',
    method: 'POST',
    path: '/v1/inbox/session',
    summary: 'Opens the session of a subscriber in a browser, and creates the subscriber if missing',
    category: 'global',
    wrapped: true,
    status: 201,
    open: { prove },
    maxBodyBytes,
    body: sessionBody,
    output: inboxSession,
    async handler(context, { body }) {
      const { environment, store, clock } = context
      const secretKey = await loadSecretKey(context, environment.id)
      const { subscriber, unreadCount } = await store.repeatable(async (tx) => {
        const row = await findOrStore(tx, context, body)
        await wakeMessages(tx, toOwner(row), clock.now())
        return { subscriber: row, unreadCount: await countUnread(tx, toOwner(row)) }
      })
      const claims = {
        environmentId: environment.id,
        subscriberRowId: subscriber.id,
        expiresMs: clock.now() + sessionMs,
      }
      return {
        token: createSessionToken(secretKey, claims),
        applicationIdentifier: environment.applicationIdentifier,
        totalUnreadCount: unreadCount.total,
        unreadCount,
        removeNovuBranding: true,
        isDevelopmentMode: !isProduction(environment),
        maxSnoozeDurationHours: longestSnoozeMs / hourMs,
      }
    },
  }),
])

/**
 * The caller at most proves who the subscriber is, so a session never changes the profile of an existing subscriber. It
 * may set a schedule if there is none.
 */
async function findOrStore(tx: Session, context: CallContext, body: SessionBody): Promise<SubscriberRow> {
  const { subscriber, defaultSchedule } = body
  const row =
    (await tx
      .selectFrom('subscribers')
      .selectAll()
      .where('environmentId', '=', context.environment.id)
      .where('subscriberId', '=', subscriber.subscriberId)
      .executeTakeFirst()) ?? (await storeSubscriber(tx, context, subscriber)).row
  if (defaultSchedule !== undefined) {
    const globalPreference = (await loadPreferences(tx, row)).get('')
    const change = { workflowId: '', schedule: defaultSchedule }
    if (globalPreference?.schedule == null) await storePreference(tx, context, { subscriber: row, change })
  }
  return row
}

async function loadSecretKey({ store, vault }: ServiceContext, environmentId: string): Promise<string> {
  const { sealed } = await store.db
    .selectFrom('apiKeys')
    .select('sealed')
    .where('environmentId', '=', environmentId)
    .executeTakeFirstOrThrow()
  return vault.open(sealed, sealedPlaces.apiKey(environmentId))
}

/** One error for an unknown environment and a wrong hash, so that callers cannot probe for environments. */
const refused = (): ApiError =>
  new ApiError(401, 'The application identifier is unknown, or the subscriberHash is missing or wrong.')

/** Before the hash is checked, nothing is created and no rate limit of the environment is consumed. */
async function prove(context: ServiceContext, { body }: OpenCallInput & { readonly body: Uint8Array }): Promise<Proof> {
  const { applicationIdentifier, subscriberId, subscriberHash } = readClaim(body)
  const environment = await context.store.db
    .selectFrom('environments')
    .selectAll()
    .where('applicationIdentifier', '=', applicationIdentifier)
    .executeTakeFirst()
  if (!environment) throw refused()
  if (subscriberHash === undefined) {
    if (needsHash(environment)) throw refused()
    return { environmentId: environment.id }
  }
  const secretKey = await loadSecretKey(context, environment.id)
  if (!isSubscriberHash(subscriberHash, secretKey, subscriberId)) throw refused()
  return { environmentId: environment.id, subscriberId }
}

interface Claim {
  readonly applicationIdentifier: string
  readonly subscriberId: string
  readonly subscriberHash: string | undefined
}

function readClaim(bytes: Uint8Array): Claim {
  const body = parse(bytes)
  if (!isObject(body)) throw new ApiError(400, 'The body must be a JSON object.')
  const { applicationIdentifier, subscriber, subscriberHash } = { ...body }
  const subscriberId = isObject(subscriber) ? { ...subscriber }['subscriberId'] : subscriber
  if (typeof applicationIdentifier !== 'string')
    throw invalid('applicationIdentifier', 'is missing; it must be a string')
  if (typeof subscriberId !== 'string') throw invalid('subscriber', 'must be a string, or an object with subscriberId')
  if (subscriberHash !== undefined && typeof subscriberHash !== 'string')
    throw invalid('subscriberHash', 'must be a string')
  return { applicationIdentifier, subscriberId, subscriberHash }
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new ApiError(400, 'The body must be JSON.')
  }
}

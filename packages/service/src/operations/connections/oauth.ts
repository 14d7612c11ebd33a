import { OutboundError } from '@trestle/bridge-client'
import { type JsonObject, parseJson } from '@trestle/protocol'
import { z } from 'zod'
import { ApiError, invalid, notFound } from '../../api/api-error.ts'
import { filledText, key } from '../../api/input.ts'
import type { OpenCallInput, Proof } from '../../context/open-call.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext, ServiceContext } from '../../context/service-context.ts'
import { agentsLast } from '../../engine/intake/channel-integration.ts'
import { mergeChannels } from '../../engine/intake/merge-channels.ts'
import { readText, toObject } from '../../json/json.ts'
import { isSubscriberHash } from '../../keys/subscriber-hash.ts'
import { findOAuthProvider, type OAuthProvider, oauthProviderIds } from '../../oauth/oauth-provider.ts'
import { type OAuthState, type OpenedState, openState, sealState } from '../../oauth/oauth-state.ts'
import { oauthAnswer } from '../../resources/subscriber.ts'
import type { IntegrationRow } from '../../store/schema/delivery.ts'
import type { SubscriberRow } from '../../store/schema/subscriber.ts'
import type { Session } from '../../store/store.ts'
import { openCredentials } from '../integrations/integration-row.ts'
import { findSubscriber } from '../subscribers/find-subscriber.ts'

const path = '/v1/subscribers/{subscriberId}/credentials/{providerId}/oauth'
const params = z.object({ subscriberId: filledText(), providerId: key() })
const common = { category: 'configuration', wrapped: true, params } as const

/** Operations that connect a subscriber's own chat channel. */
export const oauthOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'subscribers.oauth',
    access: 'edit',
    method: 'GET',
    path,
    summary: 'Returns the URL where a subscriber authorizes a chat channel',
    query: z.strictObject({
      hmacHash: filledText(),
      environmentId: filledText(),
      integrationIdentifier: filledText().optional(),
    }),
    output: oauthAnswer,
    mayRedirect: true,
    async handler(context, { params: { subscriberId, providerId }, query }) {
      const { environmentId, hmacHash, integrationIdentifier: identifier } = query
      const provider = toProvider(providerId)
      await checkHash(context, { environmentId, subscriberId, hmacHash })
      const { id } = await findSubscriber(context.store.db, { environment: { id: environmentId } }, subscriberId)
      const integration = await findIntegration(context.store.db, { environmentId, providerId, identifier })
      const { clientId, redirectUrl } = readClient(context, integration)
      const url = new URL(provider.authorizeUrl)
      const state = { environmentId, subscriberId, subscriberRowId: id, integrationId: integration.id }
      const fields = {
        client_id: clientId,
        scope: provider.scope,
        response_type: 'code',
        redirect_uri: redirectUrl,
        state: sealState(state, context.vault, context.clock.now()),
      }
      for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value)
      return { url: url.href }
    },
  }),
  operation({
    ...common,
    name: 'subscribers.oauthCallback',
    access: 'view',
    method: 'GET',
    path: `${path}/callback`,
    // The provider redirects a browser here without an API key; the state proves who started the flow.
    open: { prove },
    summary: 'Receives the answer from a chat provider, and stores the channel for the subscriber',
    // Providers add their own parameters.
    query: z.object({
      code: filledText(2000).optional(),
      error: filledText(200).optional(),
      state: filledText(4000),
    }),
    output: oauthAnswer,
    mayRedirect: true,
    async handler(context, { params: { subscriberId, providerId }, query }) {
      const provider = toProvider(providerId)
      const state = openState(query.state, context.vault, context.clock.now())
      if (!state || state.subscriberId !== subscriberId) throw outdated()
      const integration = await findIntegration(context.store.db, { ...state, providerId, id: state.integrationId })
      await findAsking(context.store.db, state)
      await useOnce(context, state)
      const credentials = await exchange(context, { provider, integration, code: toCode(query) })
      await context.store.repeatable(async (tx) => {
        const row = await findAsking(tx, state)
        const channel = { providerId, integrationIdentifier: integration.identifier, credentials }
        const channels = await mergeChannels(tx, row, [channel])
        const updatedAt = context.clock.now()
        await tx.updateTable('subscribers').set({ channels, updatedAt }).where('id', '=', row.id).execute()
      })
      return { connected: true }
    },
  }),
])

/** The state contains the environment in which the flow was started. */
async function prove({ vault, clock }: ServiceContext, { query }: OpenCallInput): Promise<Proof> {
  const state = openState(query.get('state') ?? '', vault, clock.now())
  if (!state) throw outdated()
  return { environmentId: state.environmentId }
}

/** A state can be used once, even if the flow fails. */
async function useOnce({ store }: CallContext, { id, untilMs }: OpenedState): Promise<void> {
  const empty = { status: null, contentType: null, body: null }
  const used = await store.db
    .insertInto('idempotency')
    .values({ key: `oauth-state ${id}`, bodyHash: '', claim: id, state: 'cached', expiresAt: untilMs, ...empty })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .executeTakeFirst()
  if (used.numInsertedOrUpdatedRows !== 1n) throw outdated()
}

/** Returns the code of an authorization. The provider sends an error instead, for example if the user declines. */
function toCode({ code, error }: { readonly code?: string | undefined; readonly error?: string | undefined }): string {
  if (error === 'access_denied') throw new ApiError(400, 'The authorization was declined at the provider.')
  if (error !== undefined) throw new ApiError(400, `The provider rejected the authorization: ${error}.`)
  if (code === undefined) throw invalid('code', 'is missing')
  return code
}

const outdated = (): ApiError => new ApiError(400, 'The state is invalid or expired. Start the connection again.')

/** Compares row ids, because a different subscriber may have the identifier by now. */
async function findAsking(db: Session, state: OAuthState): Promise<SubscriberRow> {
  const row = await findSubscriber(db, { environment: { id: state.environmentId } }, state.subscriberId)
  if (row.id !== state.subscriberRowId) throw outdated()
  return row
}

function toProvider(providerId: string): OAuthProvider {
  const provider = findOAuthProvider(providerId)
  if (!provider)
    throw new ApiError(400, `"${providerId}" does not connect by OAuth; ${oauthProviderIds.join(' and ')} do.`)
  return provider
}

async function checkHash(
  context: CallContext,
  given: { readonly environmentId: string; readonly subscriberId: string; readonly hmacHash: string },
): Promise<void> {
  const { environmentId, subscriberId, hmacHash } = given
  const isOwn = environmentId === context.environment.id
  const secretKey = isOwn ? (await context.loadTarget(environmentId)).secretKey : ''
  // The same error for another environment and for a wrong hash, so that callers cannot probe.
  if (secretKey === '' || !isSubscriberHash(hmacHash, secretKey, subscriberId))
    throw new ApiError(400, 'The hmacHash does not match this subscriber and environment.')
}

async function findIntegration(
  db: Session,
  wanted: {
    readonly environmentId: string
    readonly providerId: string
    readonly identifier?: string | undefined
    readonly id?: string
  },
): Promise<IntegrationRow> {
  const { environmentId, providerId, identifier, id } = wanted
  const row = await db
    .selectFrom('integrations')
    .selectAll()
    .where('environmentId', '=', environmentId)
    .where('providerId', '=', providerId)
    .where('active', '=', 1)
    .$if(identifier !== undefined, (query) => query.where('identifier', '=', identifier ?? ''))
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
    .orderBy(agentsLast)
    .orderBy('isPrimary', 'desc')
    .orderBy('id')
    .executeTakeFirst()
  if (!row) throw notFound('Active integration', identifier ?? providerId)
  return row
}

function readClient(
  context: CallContext,
  integration: IntegrationRow,
): { readonly clientId: string; readonly secret: string; readonly redirectUrl: string } {
  const { clientId, applicationId, secretKey, redirectUrl } = openCredentials(context, integration)
  const client = {
    clientId: readText(clientId) ?? readText(applicationId),
    secret: readText(secretKey),
    redirectUrl: readText(redirectUrl),
  }
  if (!client.clientId || !client.secret || !client.redirectUrl)
    throw new ApiError(400, 'The integration lacks "clientId", "secretKey" or "redirectUrl" in its credentials.')
  return { clientId: client.clientId, secret: client.secret, redirectUrl: client.redirectUrl }
}

async function exchange(
  context: CallContext,
  {
    provider,
    integration,
    code,
  }: { readonly provider: OAuthProvider; readonly integration: IntegrationRow; readonly code: string },
): Promise<JsonObject> {
  const { clientId, secret, redirectUrl } = readClient(context, integration)
  const fields = {
    grant_type: 'authorization_code',
    code,
    client_id: clientId,
    client_secret: secret,
    redirect_uri: redirectUrl,
  }
  const request = {
    method: 'POST',
    url: provider.tokenUrl,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams(fields).toString(),
  }
  const { text } = await context.outbound.send(request, context.signal).catch((error: unknown) => {
    if (!(error instanceof OutboundError)) throw error
    throw new ApiError(400, `The request to the provider failed: ${error.message}`)
  })
  const credentials = provider.readCredentials(parse(text))
  if (!credentials) throw invalid('code', 'was rejected by the provider')
  return credentials
}

function parse(text: string): JsonObject {
  return toObject(parseJson(text))
}

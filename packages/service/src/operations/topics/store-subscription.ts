import type { CallContext } from '../../context/service-context.ts'
import { createId } from '../../store/create-id.ts'
import type { SubscriberRow, TopicRow, TopicSubscriptionRow } from '../../store/schema/subscriber.ts'
import type { Session } from '../../store/store.ts'

/** One requested subscription. */
export interface WantedSubscription {
  /** The subscriber id. To remove a subscription, set this or `identifier`. */
  readonly subscriberId?: string | undefined
  /** Identifies the subscription in its topic. @default derived from topic and subscriber */
  readonly identifier?: string | undefined
  readonly name?: string | undefined
}

/** A request to subscribe to or unsubscribe from a topic. */
export interface SubscriptionRequest {
  readonly topic: TopicRow
  readonly wanted: readonly WantedSubscription[]
  /** The preferences of each subscription. */
  readonly preferences?: readonly unknown[] | undefined
  /** The contexts they apply to. */
  readonly contextKeys?: readonly string[] | undefined
}

/** A subscription with its subscriber. */
export interface StoredSubscription {
  readonly row: TopicSubscriptionRow
  readonly subscriber: SubscriberRow
}

/** The reason why a subscription was not stored or not found. */
export interface SubscriptionFailure {
  /** The subscriber id, or the subscription identifier if only that was sent. */
  readonly subscriberId: string
  /** The error code. */
  readonly code: 'SUBSCRIBER_NOT_FOUND' | 'SUBSCRIPTION_NOT_FOUND' | 'IDENTIFIER_TAKEN'
  /** The error message. */
  readonly message: string
}

/** The outcome of a request. */
export interface SubscriptionOutcome {
  /** Stored or removed subscriptions. */
  readonly stored: readonly StoredSubscription[]
  readonly failed: readonly SubscriptionFailure[]
}

/** Subscribes subscribers to a topic. Existing subscriptions are kept. */
export async function subscribe(
  tx: Session,
  context: CallContext,
  request: SubscriptionRequest,
): Promise<SubscriptionOutcome> {
  const { topic, wanted } = request
  const subscribers = await loadSubscribers(tx, context, wanted)
  const stored: StoredSubscription[] = []
  const failed: SubscriptionFailure[] = []
  for (const each of distinct(wanted)) {
    const subscriber = subscribers.get(each.subscriberId ?? '')
    const row = subscriber && (await storeNamed(tx, context, { request, each, topic, subscriber }))
    if (!subscriber || !row) failed.push(toMissing(each, false))
    else if (row.subscriberId === subscriber.id) stored.push({ subscriber, row })
    else failed.push(toTaken(each, row))
  }
  return { stored, failed }
}

function distinct(wanted: readonly WantedSubscription[]): readonly WantedSubscription[] {
  const keys = wanted.map(({ subscriberId, identifier }) => JSON.stringify([subscriberId, identifier]))
  return wanted.filter((_, index) => keys.indexOf(keys[index] ?? '') === index)
}

const toTaken = (
  { subscriberId = '' }: WantedSubscription,
  { identifier }: TopicSubscriptionRow,
): SubscriptionFailure => ({
  subscriberId,
  code: 'IDENTIFIER_TAKEN',
  message: `The identifier ${JSON.stringify(identifier)} belongs to another subscriber's subscription to the topic.`,
})

function toMissing({ subscriberId, identifier }: WantedSubscription, isKnown: boolean): SubscriptionFailure {
  const [who, which] = [subscriberId, identifier].map((id) => id !== undefined && JSON.stringify(id))
  const failure = { subscriberId: subscriberId ?? identifier ?? '' }
  if (who && !isKnown) return { ...failure, code: 'SUBSCRIBER_NOT_FOUND', message: `Subscriber ${who} was not found.` }
  const subscription = which ? `no subscription ${which}` : 'no subscription'
  const message = who ? `The subscriber ${who} has ${subscription} to the topic.` : `The topic has ${subscription}.`
  return { ...failure, code: 'SUBSCRIPTION_NOT_FOUND', message }
}

interface ToStore {
  readonly request: SubscriptionRequest
  readonly each: WantedSubscription
  readonly topic: TopicRow
  readonly subscriber: SubscriberRow
}

async function storeNamed(tx: Session, context: CallContext, given: ToStore): Promise<TopicSubscriptionRow> {
  const { request, each, topic, subscriber } = given
  const suffix = request.contextKeys?.length ? `:${request.contextKeys.toSorted().join(',')}` : ''
  const usual = `tk=${topic.key}:si=${subscriber.subscriberId}${suffix}`
  const row = await store(tx, context, { ...given, identifier: each.identifier ?? usual })
  if (each.identifier !== undefined || row.subscriberId === subscriber.id) return row
  // Another subscriber uses this identifier, or it equals the combination of an identifier and a context.
  return store(tx, context, { ...given, identifier: `${usual}#${subscriber.id}` })
}

async function store(
  tx: Session,
  context: CallContext,
  { request, each, topic, subscriber, identifier }: ToStore & { readonly identifier: string },
): Promise<TopicSubscriptionRow> {
  const nowMs = context.clock.now()
  const keys = request.contextKeys?.toSorted()
  await tx
    .insertInto('topicSubscriptions')
    .values({
      id: createId(nowMs),
      environmentId: topic.environmentId,
      topicId: topic.id,
      subscriberId: subscriber.id,
      identifier,
      name: each.name ?? null,
      preferences: request.preferences ? JSON.stringify(request.preferences) : null,
      contextKeys: keys ? JSON.stringify(keys) : null,
      createdAt: nowMs,
      updatedAt: nowMs,
    })
    .onConflict((conflict) => conflict.columns(['topicId', 'identifier']).doNothing())
    .execute()
  return tx
    .selectFrom('topicSubscriptions')
    .selectAll()
    .where('topicId', '=', topic.id)
    .where('identifier', '=', identifier)
    .executeTakeFirstOrThrow()
}

/** Removes subscriptions: all of a subscriber, or the one with an identifier. */
export async function unsubscribe(
  tx: Session,
  context: CallContext,
  { topic, wanted }: SubscriptionRequest,
): Promise<SubscriptionOutcome> {
  const subscribers = await loadSubscribers(tx, context, wanted)
  const stored: StoredSubscription[] = []
  const failed: SubscriptionFailure[] = []
  const ended = new Set<string>()
  for (const each of distinct(wanted)) {
    const { subscriberId, identifier } = each
    const subscriber = subscribers.get(subscriberId ?? '')
    let query = tx.selectFrom('topicSubscriptions').selectAll().where('topicId', '=', topic.id)
    if (subscriberId !== undefined) query = query.where('subscriberId', '=', subscriber?.id ?? '')
    if (identifier !== undefined) query = query.where('identifier', '=', identifier)
    const rows = await query.execute()
    if (rows.length === 0) failed.push(toMissing(each, subscriber !== undefined))
    for (const row of rows.filter(({ id }) => !ended.has(id))) {
      const owner = subscriber ?? (await findOwner(tx, row))
      if (owner) stored.push({ row, subscriber: owner })
      ended.add(row.id)
    }
  }
  // Runs after all lookups, because two items may name the same subscription.
  if (ended.size > 0)
    await tx
      .deleteFrom('topicSubscriptions')
      .where('id', 'in', [...ended])
      .execute()
  return { stored, failed }
}

function findOwner(tx: Session, { subscriberId }: TopicSubscriptionRow): Promise<SubscriberRow | undefined> {
  return tx.selectFrom('subscribers').selectAll().where('id', '=', subscriberId).executeTakeFirst()
}

async function loadSubscribers(
  tx: Session,
  { environment }: CallContext,
  wanted: readonly WantedSubscription[],
): Promise<Map<string, SubscriberRow>> {
  const ids = wanted.flatMap(({ subscriberId }) => (subscriberId === undefined ? [] : [subscriberId]))
  if (ids.length === 0) return new Map()
  const rows = await tx
    .selectFrom('subscribers')
    .selectAll()
    .where('environmentId', '=', environment.id)
    .where('subscriberId', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.subscriberId, row]))
}

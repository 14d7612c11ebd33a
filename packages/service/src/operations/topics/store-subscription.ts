import type { CallContext } from '../../context/service-context.ts'
import { createId } from '../../store/create-id.ts'
import type { SubscriberRow, TopicRow, TopicSubscriptionRow } from '../../store/schema/subscriber.ts'
import type { Session } from '../../store/store.ts'

/** One subscription that is asked for. */
export interface WantedSubscription {
  /** The caller's own identifier of the subscriber; by it, or by `identifier`, one is removed. */
  readonly subscriberId?: string | undefined
  /** Identifies the subscription in its topic. @default made of topic and subscriber */
  readonly identifier?: string | undefined
  /** Its name. */
  readonly name?: string | undefined
}

/** The subscriptions that are asked of a topic. */
export interface SubscriptionRequest {
  /** The topic. */
  readonly topic: TopicRow
  /** The subscriptions. */
  readonly wanted: readonly WantedSubscription[]
  /** The preferences of each of them. */
  readonly preferences?: readonly unknown[] | undefined
  /** The contexts they hold for. */
  readonly contextKeys?: readonly string[] | undefined
}

/** A subscription with its subscriber. */
export interface StoredSubscription {
  /** The subscription. */
  readonly row: TopicSubscriptionRow
  /** The subscriber. */
  readonly subscriber: SubscriberRow
}

/** The outcome of a request. */
export interface SubscriptionOutcome {
  /** The subscriptions that are stored, or were until now. */
  readonly stored: readonly StoredSubscription[]
  /** Identifiers of subscribers, or of subscriptions, that were not found. */
  readonly missing: readonly string[]
}

/** Subscribes subscribers to a topic; a subscription that exists stays. */
export async function subscribe(
  tx: Session,
  context: CallContext,
  request: SubscriptionRequest,
): Promise<SubscriptionOutcome> {
  const { topic, wanted } = request
  const subscribers = await loadSubscribers(tx, context, wanted)
  const stored: StoredSubscription[] = []
  const missing: string[] = []
  for (const each of wanted) {
    const subscriber = subscribers.get(each.subscriberId ?? '')
    if (subscriber) stored.push({ subscriber, row: await store(tx, context, { request, each, topic, subscriber }) })
    else missing.push(each.subscriberId ?? '')
  }
  return { stored, missing }
}

interface ToStore {
  readonly request: SubscriptionRequest
  readonly each: WantedSubscription
  readonly topic: TopicRow
  readonly subscriber: SubscriberRow
}

async function store(
  tx: Session,
  context: CallContext,
  { request, each, topic, subscriber }: ToStore,
): Promise<TopicSubscriptionRow> {
  const nowMs = context.clock.now()
  const keys = request.contextKeys?.toSorted()
  const suffix = keys && keys.length > 0 ? `:${keys.join(',')}` : ''
  const identifier = each.identifier ?? `tk=${topic.key}:si=${subscriber.subscriberId}${suffix}`
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

/** Ends subscriptions: all of a subscriber, or the one with an identifier. */
export async function unsubscribe(
  tx: Session,
  context: CallContext,
  { topic, wanted }: SubscriptionRequest,
): Promise<SubscriptionOutcome> {
  const subscribers = await loadSubscribers(tx, context, wanted)
  const stored: StoredSubscription[] = []
  const missing: string[] = []
  for (const { subscriberId, identifier } of wanted) {
    const subscriber = subscribers.get(subscriberId ?? '')
    let query = tx.selectFrom('topicSubscriptions').selectAll().where('topicId', '=', topic.id)
    if (subscriberId !== undefined) query = query.where('subscriberId', '=', subscriber?.id ?? '')
    if (identifier !== undefined) query = query.where('identifier', '=', identifier)
    const rows = await query.execute()
    if (rows.length === 0) missing.push(subscriberId ?? identifier ?? '')
    for (const row of rows) {
      const owner = subscriber ?? (await findOwner(tx, row))
      if (owner) stored.push({ row, subscriber: owner })
      await tx.deleteFrom('topicSubscriptions').where('id', '=', row.id).execute()
    }
  }
  return { stored, missing }
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

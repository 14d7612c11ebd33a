import type { JsonObject } from '@trestle/protocol'
import type { SubscriberRow } from '../../store/schema/subscriber.ts'
import { groupBy } from '../../store/shared/row-list.ts'
import type { Session } from '../../store/store.ts'
import { holdsFor } from '../base/holds-for.ts'
import { storeSubscribers } from './store-subscribers.ts'
import type { TriggerPlan } from './trigger-plan.ts'

/** A recipient of a trigger, and why it is one. */
export interface ResolvedRecipient {
  readonly subscriber: SubscriberRow
  /** The recipient's fields in the trigger. */
  readonly fields: JsonObject
  /** The topics that contain the recipient, as `{ _topicId, topicKey }`. */
  readonly topics: readonly JsonObject[]
}

/** A page of the recipients of a trigger. */
export interface RecipientPage {
  readonly recipients: readonly ResolvedRecipient[]
  /** The start of the next page; `undefined` on the last one. */
  readonly cursor: string | undefined
}

/** The maximum number of runs per transaction. */
const pageSize = 100

/**
 * Returns the next page of recipients of a trigger: first the named ones, then the members of its topics; for a
 * broadcast, all subscribers.
 *
 * @returns The page, or the reason why the trigger fails.
 * @source service-api.md#recipients
 */
export async function loadRecipients(tx: Session, plan: TriggerPlan, nowMs: number): Promise<RecipientPage | string> {
  const { trigger, addressees } = plan
  const { cursor } = trigger
  if (trigger.kind === 'broadcast') return loadEveryone(tx, trigger.environmentId, cursor ?? '')
  if (cursor !== null) return loadMembers(tx, plan, cursor)
  const unknownTopic = await findUnknownTopic(tx, plan)
  if (unknownTopic !== undefined) return `the topic "${unknownTopic}" does not exist`
  const at = { environmentId: trigger.environmentId, nowMs }
  const rows = await storeSubscribers(tx, addressees.recipients, at)
  const fieldsOf = new Map(addressees.recipients.map(({ subscriberId, fields }) => [subscriberId, fields]))
  const recipients = rows.map((subscriber) => {
    return { subscriber, fields: fieldsOf.get(subscriber.subscriberId) ?? {}, topics: [] }
  })
  return { recipients, cursor: addressees.topics.length > 0 ? '' : undefined }
}

async function loadEveryone(tx: Session, environmentId: string, cursor: string): Promise<RecipientPage> {
  const rows = await tx
    .selectFrom('subscribers')
    .selectAll()
    .where('environmentId', '=', environmentId)
    .where('id', '>', cursor)
    .orderBy('id')
    .limit(pageSize)
    .execute()
  const recipients = rows.map((subscriber) => ({ subscriber, fields: {}, topics: [] }))
  return { recipients, cursor: rows.length < pageSize ? undefined : rows.at(-1)?.id }
}

async function findUnknownTopic(tx: Session, { trigger, addressees }: TriggerPlan): Promise<string | undefined> {
  const keys = addressees.topics.map(({ topicKey }) => topicKey)
  if (keys.length === 0) return undefined
  const rows = await tx
    .selectFrom('topics')
    .select('key')
    .where('environmentId', '=', trigger.environmentId)
    .where('key', 'in', keys)
    .execute()
  return keys.find((key) => !rows.some((row) => row.key === key))
}

async function loadMembers(tx: Session, plan: TriggerPlan, cursor: string): Promise<RecipientPage> {
  const { trigger, addressees, actor, contextKeys } = plan
  const keys = addressees.topics.map(({ topicKey }) => topicKey)
  const members = tx
    .selectFrom('topicSubscriptions')
    .innerJoin('topics', 'topics.id', 'topicSubscriptions.topicId')
    .where('topics.environmentId', '=', trigger.environmentId)
    .where('topics.key', 'in', keys)
  const page = await members
    .select('topicSubscriptions.subscriberId')
    .distinct()
    .where('topicSubscriptions.subscriberId', '>', cursor)
    .orderBy('topicSubscriptions.subscriberId')
    .limit(pageSize)
    .execute()
  const ids = page.map(({ subscriberId }) => subscriberId)
  if (ids.length === 0) return { recipients: [], cursor: undefined }
  const subscribers = await tx.selectFrom('subscribers').selectAll().where('id', 'in', ids).orderBy('id').execute()
  const links = await members
    .select(['topicSubscriptions.subscriberId', 'topicSubscriptions.contextKeys', 'topics.id as topicId', 'topics.key'])
    .where('topicSubscriptions.subscriberId', 'in', ids)
    .execute()
  const linksOf = groupBy(links, ({ subscriberId }) => subscriberId)
  const namedIds = new Set(addressees.recipients.map(({ subscriberId }) => subscriberId))
  const isExcluded = (key: string, subscriberId: string): boolean =>
    addressees.topics.some(({ topicKey, exclude }) => topicKey === key && exclude.includes(subscriberId))
  const recipients = subscribers.flatMap((subscriber) => {
    // Named recipients already have a run, and the actor is not notified of their own action.
    if (subscriber.id === actor?.rowId || namedIds.has(subscriber.subscriberId)) return []
    const own = (linksOf.get(subscriber.id) ?? [])
      .filter((link) => holdsFor(link.contextKeys, contextKeys))
      .filter(({ key }) => !isExcluded(key, subscriber.subscriberId))
    // A subscriber may have several subscriptions to a topic.
    const topics = new Map(own.map(({ topicId, key }) => [key, { _topicId: topicId, topicKey: key }]))
    return topics.size === 0 ? [] : [{ subscriber, fields: {}, topics: [...topics.values()] }]
  })
  return { recipients, cursor: page.length < pageSize ? undefined : ids.at(-1) }
}

import { isObject, type JsonObject } from '@trestle/protocol'
import { recipientTextFields } from '@trestle/run-rules'

/** A recipient that a trigger names directly. */
export interface NamedRecipient {
  /** The subscriber id, chosen by the app. */
  readonly subscriberId: string
  /** Fields of the recipient in the trigger. Absent fields keep their stored values. */
  readonly fields: JsonObject
}

/** A topic that a trigger names. */
export interface NamedTopic {
  readonly topicKey: string
  /** Subscriber ids of excluded members. */
  readonly exclude: readonly string[]
}

/** The recipients of a trigger. */
export interface Addressees {
  /** The named recipients, without duplicates. */
  readonly recipients: readonly NamedRecipient[]
  /** The named topics, without duplicates. */
  readonly topics: readonly NamedTopic[]
}

/**
 * Parses the recipients of a trigger. A recipient that is named twice counts once, with the fields of both; later
 * fields win.
 *
 * @param to - The trigger's `to`: a subscriber id, an object with `subscriberId`, a topic, or a list of these.
 * @returns The recipients, or an error message.
 * @source service-api.md#triggers, service-api.md#recipients
 */
export function toAddressees(to: unknown): Addressees | string {
  const recipients = new Map<string, NamedRecipient>()
  const topics = new Map<string, NamedTopic>()
  const list: readonly unknown[] = Array.isArray(to) ? to : [to]
  for (const [index, item] of list.entries()) {
    const place = Array.isArray(to) ? `to/${index}` : 'to'
    const topic = toTopic(item)
    if (topic) {
      const previous = topics.get(topic.topicKey)
      // A member is excluded only if every mention of the topic excludes it.
      const exclude = previous ? topic.exclude.filter((id) => previous.exclude.includes(id)) : topic.exclude
      topics.set(topic.topicKey, { ...topic, exclude })
      continue
    }
    const recipient = toRecipient(item)
    if (!recipient) return `${place} must be a subscriber id, an object with a subscriberId, or a topic with a topicKey`
    const fault = findFieldFault(recipient.fields)
    if (fault !== undefined) return `${place}/${fault}`
    const previous = recipients.get(recipient.subscriberId)
    recipients.set(recipient.subscriberId, { ...recipient, fields: { ...previous?.fields, ...recipient.fields } })
  }
  return { recipients: [...recipients.values()], topics: [...topics.values()] }
}

/**
 * Parses a recipient.
 *
 * @param item - A subscriber id, or an object with `subscriberId`.
 * @returns The recipient; `undefined` if the item is neither.
 */
export function toRecipient(item: unknown): NamedRecipient | undefined {
  if (typeof item === 'string') return item.trim() === '' ? undefined : { subscriberId: item, fields: {} }
  if (!isObject(item)) return undefined
  const { subscriberId, ...fields } = item
  return typeof subscriberId === 'string' && subscriberId.trim() !== '' ? { subscriberId, fields } : undefined
}

/**
 * Returns the first error in the fields of a recipient: the path of the field and the reason.
 *
 * @param fields - The fields of the recipient in the trigger.
 */
export function findFieldFault(fields: JsonObject): string | undefined {
  for (const name of recipientTextFields) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (value !== undefined && value !== null && typeof value !== 'string') return `${name} must be a string or null`
  }
  const { data, channels } = fields
  if (data !== undefined && data !== null && !isObject(data)) return 'data must be an object or null'
  if (channels !== undefined && !(Array.isArray(channels) && channels.every(isObject)))
    return 'channels must be a list of objects'
  return undefined
}

function toTopic(item: unknown): NamedTopic | undefined {
  if (!isObject(item)) return undefined
  const { type, topicKey, exclude } = item
  if (typeof topicKey !== 'string' || topicKey === '' || (type !== undefined && type !== 'Topic')) return undefined
  const ids = Array.isArray(exclude) ? exclude.filter((id): id is string => typeof id === 'string') : []
  return { topicKey, exclude: ids }
}

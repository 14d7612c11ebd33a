import { isObject, type JsonObject } from '@trestle/protocol'
import { toText } from '@trestle/templates/text'
import { compact, toObject } from '../json/json.ts'
import type { MessageRow } from '../store/schema/message.ts'
import type { SubscriberRow } from '../store/schema/subscriber.ts'

/** The error text of a message that awaits its provider's response. */
export const pendingErrorId = 'delivery_pending'

/** Additional data for showing a message. */
export interface MessageParts {
  /** Row id of the organization. */
  readonly organizationId: string
  /** The recipient, if it is shown with the message. */
  readonly subscriber?: JsonObject
  /** What its provider has reported about it. @default not shown */
  readonly reports?: readonly JsonObject[]
  /** Masks secrets in app data; absent for the recipient, who gets the message unchanged. */
  readonly hide?: <T>(value: T) => T
}

/** Columns with app data. */
const writtenTexts = ['subject', 'title', 'avatar', 'directWebhookUrl', 'errorText', 'providerMessageId'] as const
/** Columns with JSON from apps. */
const writtenJson = ['content', 'cta', 'payload', 'overrides', 'data', 'tags'] as const

/**
 * Returns a message in the API format. Absent values are omitted rather than `null`.
 *
 * @param parts - Organization, recipient, and the masking function.
 */
export function toMessage(given: MessageRow, { organizationId, subscriber, reports, hide }: MessageParts): JsonObject {
  const row = hide ? hideWritten(given, hide) : given
  const statusFields = toShownStatus(row)
  return compact({
    _id: row.id,
    _templateId: row.workflowId,
    _environmentId: row.environmentId,
    _organizationId: organizationId,
    _notificationId: row.runId,
    _jobId: row.jobId,
    _subscriberId: row.subscriberId,
    _feedId: row.feedId ?? undefined,
    subscriber,
    templateIdentifier: row.workflowIdentifier,
    transactionId: row.transactionId,
    channel: row.channel,
    providerId: row.providerId ?? undefined,
    providerMessageId: row.providerMessageId ?? undefined,
    ...statusFields,
    reports,
    subject: row.subject ?? undefined,
    title: row.title ?? undefined,
    content: row.content === null ? undefined : JSON.parse(row.content),
    avatar: row.avatar ?? undefined,
    cta: toObject(JSON.parse(row.cta)),
    email: row.email ?? undefined,
    phone: row.phone ?? undefined,
    directWebhookUrl: row.directWebhookUrl ?? undefined,
    deviceTokens: row.deviceTokens === null ? undefined : JSON.parse(row.deviceTokens),
    payload: toObject(JSON.parse(row.payload)),
    overrides: toObject(JSON.parse(row.overrides)),
    data: row.data === null ? undefined : JSON.parse(row.data),
    tags: JSON.parse(row.tags),
    severity: row.severity,
    contextKeys: JSON.parse(row.contextKeys),
    seen: row.seen === 1,
    read: row.read === 1,
    archived: row.archived === 1,
    deliveredAt: (JSON.parse(row.deliveredAt) as readonly number[]).map(toIso),
    firstSeenDate: toIsoOrAbsent(row.firstSeenAt),
    lastSeenDate: toIsoOrAbsent(row.lastSeenAt),
    lastReadDate: toIsoOrAbsent(row.lastReadAt),
    archivedAt: toIsoOrAbsent(row.archivedAt),
    snoozedUntil: toIsoOrAbsent(row.snoozedUntil),
    createdAt: toIso(row.createdAt),
    updatedAt: toIso(row.updatedAt),
    deleted: false,
  })
}

/** Returns an in-app message as an item of the v1 feed. */
export function toFeedItem(row: MessageRow, parts: MessageParts): JsonObject {
  const content: unknown = row.content === null ? '' : JSON.parse(row.content)
  return { ...toMessage(row, parts), content: typeof content === 'string' ? content : JSON.stringify(content) }
}

/** Returns a subscriber in the format used in messages. */
export function toMessageSubscriber(row: SubscriberRow): JsonObject {
  return compact({
    _id: row.id,
    subscriberId: row.subscriberId,
    firstName: row.firstName ?? undefined,
    lastName: row.lastName ?? undefined,
    avatar: row.avatar ?? undefined,
  })
}

/** The columns that the v2 inbox shows. */
export const inboxColumns = [
  'id',
  'workflowId',
  'transactionId',
  'channel',
  'subject',
  'content',
  'avatar',
  'cta',
  'data',
  'tags',
  'severity',
  'seen',
  'read',
  'archived',
  'firstSeenAt',
  'lastReadAt',
  'archivedAt',
  'snoozedUntil',
  'deliveredAt',
  'createdAt',
] as const

/** A message as the v2 inbox reads it. */
export type InboxRow = Pick<MessageRow, (typeof inboxColumns)[number]>

/**
 * Returns an in-app message as an item of the v2 inbox.
 *
 * @param parts - The recipient, and the workflow if it still exists.
 */
export function toInboxItem(
  row: InboxRow,
  parts: { readonly subscriber: SubscriberRow; readonly workflow: JsonObject | undefined },
): JsonObject {
  const { _id, ...to } = toMessageSubscriber(parts.subscriber)
  const cta = toObject(JSON.parse(row.cta))
  const { url, target } = toObject(cta['data'])
  const content: unknown = row.content === null ? '' : JSON.parse(row.content)
  return compact({
    id: row.id,
    transactionId: row.transactionId,
    subject: row.subject ?? undefined,
    body: typeof content === 'string' ? content : JSON.stringify(content),
    to: { id: _id, ...to },
    isRead: row.read === 1,
    isSeen: row.seen === 1,
    isArchived: row.archived === 1,
    isSnoozed: row.snoozedUntil !== null,
    snoozedUntil: row.snoozedUntil === null ? null : toIso(row.snoozedUntil),
    deliveredAt: (JSON.parse(row.deliveredAt) as readonly number[]).map(toIso),
    createdAt: toIso(row.createdAt),
    readAt: row.lastReadAt === null ? null : toIso(row.lastReadAt),
    firstSeenAt: row.firstSeenAt === null ? null : toIso(row.firstSeenAt),
    archivedAt: row.archivedAt === null ? null : toIso(row.archivedAt),
    avatar: row.avatar ?? undefined,
    primaryAction: toAction(cta, 'primary'),
    secondaryAction: toAction(cta, 'secondary'),
    channelType: row.channel,
    tags: JSON.parse(row.tags),
    data: row.data === null ? undefined : JSON.parse(row.data),
    redirect: typeof url === 'string' ? compact({ url, target }) : undefined,
    workflow: parts.workflow,
    severity: row.severity,
  })
}

function hideWritten(row: MessageRow, hide: <T>(value: T) => T): MessageRow {
  // A secret may consist of JSON syntax.
  const hideJson = (text: string | null) => (text === null ? null : JSON.stringify(hide(JSON.parse(text))))
  return {
    ...row,
    ...Object.fromEntries(writtenTexts.map((name) => [name, hide(row[name])])),
    ...Object.fromEntries(writtenJson.map((name) => [name, hideJson(row[name])])),
  }
}

/** The API has three statuses; a pending message is shown as a warning with an explanation. */
function toShownStatus({ status, errorId, errorText }: MessageRow): JsonObject {
  if (status !== 'pending') return { status, errorId: errorId ?? undefined, errorText: errorText ?? undefined }
  return { status: 'warning', errorId: pendingErrorId, errorText: 'The message is waiting for its provider.' }
}

function toAction(cta: JsonObject, type: 'primary' | 'secondary'): JsonObject | undefined {
  const action = toObject(cta['action'])
  const buttons = Array.isArray(action['buttons']) ? action['buttons'].filter(isObject) : []
  const button = buttons.find((candidate) => candidate['type'] === type)
  if (!button) return undefined
  const { url, target } = button
  return compact({
    label: toText(button['content']),
    isCompleted: action['status'] === 'done' && toObject(action['result'])['type'] === type,
    redirect: typeof url === 'string' ? compact({ url, target }) : undefined,
  })
}

/**
 * Returns a time in the API format, ISO 8601.
 *
 * @param ms - Milliseconds since 1970.
 */
export function toIso(ms: number): string {
  return new Date(ms).toISOString()
}

function toIsoOrAbsent(ms: number | null): string | undefined {
  return ms === null ? undefined : toIso(ms)
}

import { isObject, type JsonObject, parseJson } from '@trestle/protocol'
import { ApiError } from '../../api/api-error.ts'
import { isStorable, maxKeyLength } from '../../api/input.ts'
import { readText, toObject } from '../../json/json.ts'

/** A user posted in a thread. */
export interface SlackWritten {
  /** Discriminates the kinds. */
  readonly kind: 'message'
  /** Slack's event id, which stays the same when it is resent. */
  readonly key: string
  readonly channel: string
  /** The thread: the timestamp of its first message. */
  readonly threadTs: string
  /** The timestamp of the message, which is its id in the channel. */
  readonly ts: string
  readonly userId: string
  /** The text, in Slack's markup. */
  readonly text: string
  /** The attached files. */
  readonly files: readonly JsonObject[]
  readonly teamId: string | undefined
  /** The ids of the called bot. */
  readonly botUserIds: readonly string[]
  /** Whether it addresses the bot: in a direct message, or by a mention. */
  readonly isForBot: boolean
}

/** A user reacted to a message. */
export interface SlackReacted {
  /** Discriminates the kinds. */
  readonly kind: 'reaction'
  /** Slack's event id, which stays the same when it is resent. */
  readonly key: string
  readonly channel: string
  /** The timestamp of the message. */
  readonly ts: string
  readonly userId: string
  /** The name of the emoji. */
  readonly emoji: string
  /** False if it was removed. */
  readonly added: boolean
  /** Whether the message may be from the bot. */
  readonly mayBeOfBot: boolean
}

/** A user used a button, a list or a field. */
export interface SlackClicked {
  /** Discriminates the kinds. */
  readonly kind: 'click'
  /** Slack's id of the interaction. */
  readonly key: string
  readonly channel: string
  readonly userId: string
  readonly userName: string | undefined
  readonly actions: readonly SlackAction[]
}

/** A used button, list or field. */
export interface SlackAction {
  readonly blockId: string
  readonly actionId: string
  /** The text entered in a field. */
  readonly text: string | undefined
  /** The value of the chosen option. */
  readonly chosen: string | undefined
}

/** A parsed call from Slack. */
export type SlackCall =
  | { readonly kind: 'challenge'; readonly challenge: string }
  | { readonly kind: 'ignored' }
  | SlackWritten
  | SlackReacted
  | SlackClicked

const ignored: SlackCall = Object.freeze({ kind: 'ignored' })
/** Subtypes of messages from users: plain, with files, or posted to the channel from a thread. */
const spoken: readonly unknown[] = [undefined, 'file_share', 'thread_broadcast']
const maxActions = 25
const maxFiles = 20

/**
 * Parses a call from Slack: from its Events API, or from an interactive message.
 *
 * @param body - The body, whose signature was verified.
 * @param contentType - The header `Content-Type`.
 * @throws {ApiError} 400 for any other body.
 */
export function readSlackCall(body: Uint8Array, contentType: string | undefined): SlackCall {
  const text = decode(body)
  if (/^application\/x-www-form-urlencoded\b/i.test(contentType ?? ''))
    return readInteraction(parse(new URLSearchParams(text).get('payload') ?? ''))
  const call = parse(text)
  if (call['type'] === 'url_verification') return { kind: 'challenge', challenge: readText(call['challenge']) ?? '' }
  return call['type'] === 'event_callback' ? readEvent(call) : ignored
}

function decode(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw new ApiError(400, 'The body is not UTF-8.')
  }
}

function parse(text: string): JsonObject {
  const value = parseJson(text)
  if (isObject(value)) return value
  throw new ApiError(400, 'The body must be a JSON object from Slack, or a form with one in its field "payload".')
}

function readEvent(call: JsonObject): SlackCall {
  const event = toObject(call['event'])
  const botUserIds = readBotUserIds(call)
  const userId = readId(event['user'])
  const key = readId(call['event_id'])
  if (userId === undefined || key === undefined || isByBot(event) || botUserIds.includes(userId)) return ignored
  const { type } = event
  if (type === 'message' || type === 'app_mention')
    return readMessage(event, { key, userId, botUserIds, teamId: readId(call['team_id']) })
  if (type !== 'reaction_added' && type !== 'reaction_removed') return ignored
  const item = toObject(event['item'])
  const [channel, ts, emoji] = [readId(item['channel']), readId(item['ts']), readId(event['reaction'])]
  if (channel === undefined || ts === undefined || emoji === undefined) return ignored
  const writer = readId(event['item_user'])
  const mayBeOfBot = writer === undefined || botUserIds.length === 0 || botUserIds.includes(writer)
  return { kind: 'reaction', key, channel, ts, userId, emoji, added: type === 'reaction_added', mayBeOfBot }
}

/** The bot's own messages also arrive as events, and answering them would cause an endless loop. */
const isByBot = (event: JsonObject): boolean =>
  event['bot_id'] !== undefined || event['bot_profile'] !== undefined || event['subtype'] === 'bot_message'

/**
 * Parses a Slack id. No valid id is longer than what can be sent.
 *
 * @returns The id; `undefined` if it is invalid.
 */
export function readId(value: unknown): string | undefined {
  const text = readText(value)
  return text !== undefined && text.length <= maxKeyLength && isStorable(text) ? text : undefined
}

function readBotUserIds(call: JsonObject): readonly string[] {
  const authorizations = Array.isArray(call['authorizations']) ? call['authorizations'].filter(isObject) : []
  return authorizations.filter((one) => one['is_bot'] !== false).flatMap((one) => readId(one['user_id']) ?? [])
}

function readMessage(
  event: JsonObject,
  eventIds: Pick<SlackWritten, 'key' | 'userId' | 'botUserIds' | 'teamId'>,
): SlackCall {
  const [channel, ts] = [readId(event['channel']), readId(event['ts'])]
  if (!spoken.includes(event['subtype']) || channel === undefined || ts === undefined) return ignored
  const text = readText(event['text']) ?? ''
  const files = (Array.isArray(event['files']) ? event['files'] : []).filter(isObject).slice(0, maxFiles)
  if (text === '' && files.length === 0) return ignored
  const isNamed = eventIds.botUserIds.some((id) => text.includes(`<@${id}`))
  const isForBot = event['type'] === 'app_mention' || event['channel_type'] === 'im' || isNamed
  return {
    kind: 'message',
    ...eventIds,
    channel,
    ts,
    threadTs: readId(event['thread_ts']) ?? ts,
    text,
    files,
    isForBot,
  }
}

function readInteraction(payload: JsonObject): SlackCall {
  if (payload['type'] !== 'block_actions') return ignored
  const [container, user] = [payload['container'], payload['user']].map(toObject)
  const channel = readId(toObject(payload['channel'])['id']) ?? readId(container?.['channel_id'])
  const userId = readId(user?.['id'])
  const key = readId(payload['trigger_id'])
  const actions = (Array.isArray(payload['actions']) ? payload['actions'] : []).filter(isObject).slice(0, maxActions)
  if (channel === undefined || userId === undefined || key === undefined) return ignored
  const userName = readId(user?.['username']) ?? readId(user?.['name'])
  return { kind: 'click', key, channel, userId, userName, actions: actions.flatMap(readAction) }
}

function readAction(action: JsonObject): readonly SlackAction[] {
  const [blockId, actionId] = [readId(action['block_id']), readId(action['action_id'])]
  if (blockId === undefined || actionId === undefined) return []
  const chosen = readText(toObject(action['selected_option'])['value'])
  return [{ blockId, actionId, text: readText(action['value']), chosen }]
}

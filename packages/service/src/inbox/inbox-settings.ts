import { parseUrl } from '@trestle/protocol'
import { z } from 'zod'
import { isDevelopment, isProduction } from '../api/environment-type.ts'
import { filledText } from '../api/input.ts'
import { isLoopback } from '../config/is-loopback.ts'
import { toObject } from '../json/json.ts'
import type { EnvironmentRow } from '../store/schema/account.ts'

const maxOrigins = 100

/** How web pages may use the inbox of an environment. */
export interface InboxSettings {
  /** The allowed origins of web pages. @default local pages in Development, else none */
  readonly origins?: readonly string[] | undefined
  /**
   * Whether sessions require the subscriber hash; Production always requires it. @default false in Development, else
   * true
   */
  readonly requireHash?: boolean | undefined
  /** Keys of topics that subscribers may subscribe to themselves; a trailing `*` matches any text. @default none */
  readonly topics?: readonly string[] | undefined
}

const origin = filledText().refine(isOrigin, 'must be an origin, such as https://app.example.com, without a path')

/** The schema of {@link InboxSettings}. */
export const inboxSettingsField: z.ZodType<InboxSettings> = z.strictObject({
  origins: z.array(origin).max(maxOrigins, `must have at most ${maxOrigins} items`).optional(),
  requireHash: z.boolean('must be true or false').optional(),
  topics: z.array(filledText()).max(maxOrigins, `must have at most ${maxOrigins} items`).optional(),
})

type Environment = Pick<EnvironmentRow, 'name' | 'extra'>

/** Returns the inbox settings of an environment. */
export function readInboxSettings({ extra }: Pick<Environment, 'extra'>): InboxSettings {
  return toObject(toObject(JSON.parse(extra))['inbox'])
}

/**
 * Returns whether a session requires the subscriber hash. An environment may be renamed, so only Development is open.
 */
export function needsHash(environment: Environment): boolean {
  const { requireHash = !isDevelopment(environment) } = readInboxSettings(environment)
  return isProduction(environment) || requireHash
}

/** Returns whether pages of an origin may call the inbox of an environment. */
export function allowsOrigin(environment: Environment, given: string): boolean {
  const { origins } = readInboxSettings(environment)
  if (origins) return origins.includes(given)
  return isDevelopment(environment) && isLocal(given)
}

/** Returns whether subscribers may subscribe to a topic themselves. */
export function allowsTopic(environment: Environment, key: string): boolean {
  const { topics = [] } = readInboxSettings(environment)
  return topics.some((topic) => (topic.endsWith('*') ? key.startsWith(topic.slice(0, -1)) : key === topic))
}

function isLocal(given: string): boolean {
  const url = parseUrl(given)
  return url?.origin === given && isLoopback(url.hostname.replace(/^\[|\]$/g, ''))
}

/** Apps in a web view have custom schemes, for which `URL` reports no origin. */
function isOrigin(text: string): boolean {
  const url = parseUrl(text)
  if (!url || text.includes('*')) return false
  return /^https?:$/.test(url.protocol) ? url.origin === text : /^[a-z][a-z\d+.-]*:\/\/[\w.-]+(:\d+)?$/.test(text)
}

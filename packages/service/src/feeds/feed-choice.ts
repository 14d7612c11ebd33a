import { isObject, type JsonObject } from '@trestle/protocol'
import { invalid } from '../api/api-error.ts'
import { toObject } from '../json/json.ts'
import type { Session } from '../store/store.ts'

/** A feed by identifier or id, and the field that names it. */
export interface FeedChoice {
  /** The identifier or id; `null` for no feed. */
  readonly name: unknown
  /** The path of the field in the overrides of a trigger. */
  readonly field: string
}

/**
 * Returns the feeds that the overrides of a trigger name, in order of decreasing priority: for steps, then for the
 * channel.
 *
 * @param stepIds - The steps to check. @default all
 */
export function feedChoices(
  overrides: JsonObject,
  stepIds: readonly string[] = Object.keys(toObject(overrides['steps'])),
): readonly FeedChoice[] {
  const steps = stepIds.map((id) => ({
    name: toObject(toObject(overrides['steps'])[id])['feedId'],
    field: `steps.${id}.feedId`,
  }))
  const channel = [
    { name: toObject(toObject(overrides['channels'])['in_app'])['feedId'], field: 'channels.in_app.feedId' },
    { name: toObject(overrides['in_app'])['feedId'], field: 'in_app.feedId' },
  ]
  return [...steps, ...channel].filter(({ name }) => name !== undefined)
}

/** Returns the row id of a feed, by its identifier or id; undefined if it does not exist. */
export async function findFeed(db: Session, environmentId: string, name: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('feeds')
    .select('id')
    .where('environmentId', '=', environmentId)
    .where((is) => is.or([is('identifier', '=', name), is('id', '=', name)]))
    .orderBy('id')
    .executeTakeFirst()
  return row?.id
}

/**
 * Checks that a feed exists.
 *
 * @throws {ApiError} 422 naming the field.
 */
export async function checkFeed(db: Session, environmentId: string, { name, field }: FeedChoice): Promise<void> {
  if (name === null) return
  if (typeof name !== 'string' || name === '')
    throw invalid(field, 'must be the identifier or id of a feed, or null', name)
  if ((await findFeed(db, environmentId, name)) === undefined)
    throw invalid(field, 'does not exist in this environment; create the feed with POST /v1/feeds', name)
}

/** Checks the feeds in the controls of steps. Templates are only known after rendering. */
export async function checkStepFeeds(
  db: Session,
  environmentId: string,
  steps: readonly { readonly type: string; readonly controlValues?: JsonObject | null | undefined }[],
): Promise<void> {
  for (const [index, { type, controlValues }] of steps.entries()) {
    const name = isObject(controlValues) ? controlValues['feedId'] : undefined
    if (type !== 'in_app' || name === undefined || (typeof name === 'string' && name.includes('{{'))) continue
    await checkFeed(db, environmentId, { name, field: `steps.${index}.controlValues.feedId` })
  }
}

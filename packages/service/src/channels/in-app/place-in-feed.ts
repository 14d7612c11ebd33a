import { feedChoices, findFeed } from '../../feeds/feed-choice.ts'
import type { Session } from '../../store/store.ts'
import type { Delivery } from '../base/delivery.ts'
import { toStorable } from '../base/storable.ts'

/** The feed of an in-app message, or the reason why it has none. */
export interface FeedPlace {
  /** Row id of the feed; null for none. */
  readonly feedId: string | null
  /** A warning about the choice. */
  readonly warning?: string
}

/**
 * Finds the feed of an in-app message: the trigger's override for the step or the channel, else the feed of the step.
 * `null` in any of these means no feed.
 */
export async function placeInFeed(tx: Session, { environmentId, run, job, outputs }: Delivery): Promise<FeedPlace> {
  const [choice] = feedChoices(run.overrides, [job.stepId])
  const name = choice ? choice.name : outputs['feedId']
  if (typeof name !== 'string') return { feedId: null }
  const feedId = await findFeed(tx, environmentId, toStorable(name))
  return feedId === undefined
    ? { feedId: null, warning: `The feed "${name}" does not exist; the message was stored without a feed.` }
    : { feedId }
}

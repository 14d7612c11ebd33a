import type { WholeRun } from '../../api/generated/resources.ts'

/** The recipient of a trigger. */
export interface Recipient {
  /** The kind of recipient: one subscriber, or all members of a topic. */
  readonly kind: 'subscriber' | 'topic'
  /** The subscriber id or the topic key, as it was typed. */
  readonly id: string
}

/** Returns the recipient in the page's URL, or else that of the edited run. */
export function recipientOf(search: URLSearchParams, run: Pick<WholeRun, 'subscriberId'> | undefined): Recipient {
  const topic = search.get('topic')
  return topic === null
    ? { kind: 'subscriber', id: search.get('subscriber') ?? run?.subscriberId ?? 'ada' }
    : { kind: 'topic', id: topic }
}

/** Returns the `to` of a trigger, without spaces around the id. */
export function toOf({ kind, id }: Recipient): unknown {
  return kind === 'topic' ? { type: 'Topic', topicKey: id.trim() } : id.trim()
}

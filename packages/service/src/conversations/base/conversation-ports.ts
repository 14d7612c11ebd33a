import type { Clock } from '../../clock/clock.ts'
import type { Queue } from '../../queue/queue.ts'
import type { Store } from '../../store/store.ts'
import type { ConversationFeed } from './conversation-feed.ts'

/** What conversations are kept and carried on with. */
export interface ConversationPorts {
  /** The database. */
  readonly store: Store
  /** Where deliveries wait for their turn. */
  readonly queue: Pick<Queue, 'add'>
  /** The time. */
  readonly clock: Clock
  /** Told when a conversation has changed. */
  readonly feed: Pick<ConversationFeed, 'notify'>
}

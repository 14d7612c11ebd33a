import type { Clock } from '../../clock/clock.ts'
import type { Queue } from '../../queue/queue.ts'
import type { Store } from '../../store/store.ts'
import type { ConversationFeed } from './conversation-feed.ts'

/** Dependencies of conversations. */
export interface ConversationPorts {
  readonly store: Store
  /** The queue of deliveries. */
  readonly queue: Pick<Queue, 'add'>
  readonly clock: Clock
  /** Called when a conversation has changed. */
  readonly feed: Pick<ConversationFeed, 'notify'>
}

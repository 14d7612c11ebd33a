import { nap } from '../../clock/nap.ts'
import type { Store } from '../../store/store.ts'

export interface ConversationChange {
  /** Row id of the conversation. */
  readonly conversationId: string
  /** The agent id in the bridge. */
  readonly agentId: string
}

/** Reports changed conversations, in this process and in others on the same database. */
export interface ConversationFeed {
  /** Checks for changes now; called after this process has stored one. */
  notify(): void
  /**
   * Yields changed conversations until the signal aborts. Changes in quick succession are reported once.
   *
   * @param environmentId - Row id of the environment.
   */
  watch(environmentId: string, signal: AbortSignal): AsyncGenerator<ConversationChange, void, undefined>
}

const pollMs = 500
/** Transactions of several processes may commit in a different order than their timestamps. */
const overlapMs = 10_000
const pageSize = 500

/** Creates the feed of a database. */
export function createConversationFeed(store: Pick<Store, 'db'>): ConversationFeed {
  const waiting = new Set<() => void>()

  async function read(environmentId: string, fromMs: number) {
    return store.db
      .selectFrom('conversations')
      .select(['id', 'agentId', 'changes', 'changedAt'])
      .where('environmentId', '=', environmentId)
      .where('changedAt', '>=', fromMs)
      .orderBy('changedAt', 'desc')
      .limit(pageSize)
      .execute()
  }

  return {
    notify() {
      for (const wake of [...waiting]) wake()
    },
    async *watch(environmentId, signal) {
      const knownConversations = new Map<string, { readonly changes: number; readonly changedAt: number }>()
      let isFirst = true
      let newestMs = 0
      while (!signal.aborted) {
        const rows = await read(environmentId, newestMs - overlapMs)
        const news = rows.filter(({ id, changes }) => knownConversations.get(id)?.changes !== changes)
        for (const { id, changes, changedAt } of rows) {
          knownConversations.set(id, { changes, changedAt })
          newestMs = Math.max(newestMs, changedAt)
        }
        for (const [id, { changedAt }] of knownConversations)
          if (changedAt < newestMs - overlapMs) knownConversations.delete(id)
        if (!isFirst)
          for (const { id, agentId } of news.reverse()) {
            if (signal.aborted) return
            yield { conversationId: id, agentId }
          }
        if (isFirst || news.length === 0) await nap(waiting, pollMs, signal)
        isFirst = false
      }
    },
  }
}

import { createInbox, type Inbox } from '../store/create-inbox.ts'
import type { InboxOptions } from '../wire/inbox-options.ts'

/** An inbox that several elements of a page can share. */
export interface SharedInbox {
  readonly inbox: Inbox
  /** Closes the inbox if no other element is using it. */
  release(): void
}

interface Entry {
  readonly inbox: Inbox
  users: number
}

/**
 * How long an inbox stays open so that another element can reuse it, such as during page navigation, in milliseconds.
 */
const graceMs = 1000

const entries = new Map<string, Entry>()

/** Opens an inbox. Elements with the same options share one session and one stream. */
export function shareInbox(options: InboxOptions): SharedInbox {
  const key = JSON.stringify(options)
  const entry = entries.get(key) ?? { inbox: createInbox(options), users: 0 }
  entries.set(key, entry)
  entry.users++
  let isReleased = false
  return {
    inbox: entry.inbox,
    release() {
      if (isReleased) return
      isReleased = true
      entry.users--
      setTimeout(() => {
        if (entry.users > 0 || entries.get(key) !== entry) return
        entries.delete(key)
        entry.inbox.close()
      }, graceMs)
    },
  }
}

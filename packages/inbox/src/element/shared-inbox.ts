import { createInbox, type Inbox } from '../store/create-inbox.ts'
import type { InboxOptions } from '../wire/inbox-options.ts'

/** An inbox that several elements of a page may use. */
export interface SharedInbox {
  readonly inbox: Inbox
  /** Closes the inbox if no other element uses it. */
  release(): void
}

interface Entry {
  readonly inbox: Inbox
  users: number
}

/** An element that replaces another, as when a page of an app is changed, finds the inbox still open. */
const graceMs = 1000

const entries = new Map<string, Entry>()

/** Opens an inbox; elements with the same options share one session and one stream. */
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

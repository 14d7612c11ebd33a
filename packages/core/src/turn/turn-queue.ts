/** A bounded queue of work: sequential within a conversation, parallel between conversations. */
export interface TurnQueue {
  /**
   * Adds work, or rejects it.
   *
   * @param conversation - The conversation; its work runs in order of arrival.
   * @param byteLength - The memory it uses while it waits.
   * @param run - Does the work; must not reject.
   * @returns A promise for its completion; `undefined` if the queue is full.
   */
  add(conversation: string, byteLength: number, run: () => Promise<void>): Promise<void> | undefined
}

/** The limits of a queue. */
export interface TurnQueueLimits {
  /** The maximum number of concurrent tasks. */
  readonly running: number
  readonly waiting: number
  /** The maximum number of waiting tasks per conversation. */
  readonly waitingOfOne: number
  /** The maximum total size of waiting tasks, in bytes. */
  readonly waitingBytes: number
}

interface Work {
  readonly byteLength: number
  readonly run: () => Promise<void>
  readonly done: () => void
}

export function createTurnQueue(limits: TurnQueueLimits): TurnQueue {
  // Conversations with waiting or running work; `ready` contains those whose next work can start.
  const conversations = new Map<string, Work[]>()
  const ready: string[] = []
  let running = 0
  let waiting = 0
  let waitingBytes = 0

  const begin = async (conversation: string, works: Work[]): Promise<void> => {
    const work = works.shift()
    if (!work) return
    running++
    waiting--
    waitingBytes -= work.byteLength
    try {
      await work.run()
    } finally {
      running--
      if (works.length > 0) ready.push(conversation)
      else conversations.delete(conversation)
      work.done()
      fill()
    }
  }
  const fill = (): void => {
    while (running < limits.running) {
      const next = ready.shift()
      const works = next === undefined ? undefined : conversations.get(next)
      if (next === undefined || !works) return
      void begin(next, works)
    }
  }
  return {
    add(conversation, byteLength, run) {
      const works = conversations.get(conversation) ?? []
      const full = waiting >= limits.waiting || waitingBytes + byteLength > limits.waitingBytes
      if (running >= limits.running || conversations.has(conversation)) {
        if (full || works.length >= limits.waitingOfOne) return undefined
      }
      return new Promise((done) => {
        waiting++
        waitingBytes += byteLength
        works.push({ byteLength, run, done })
        if (!conversations.has(conversation)) {
          conversations.set(conversation, works)
          ready.push(conversation)
        }
        fill()
      })
    },
  }
}

/** Work of many conversations: in order within one, side by side between them, all of it bounded. */
export interface TurnQueue {
  /**
   * Takes work, or refuses it.
   *
   * @param conversation - Work of one conversation is done in the order in which it came.
   * @param byteLength - How much memory it holds while it waits.
   * @param run - Does the work; must not reject.
   * @returns When the work is done; `undefined` where there is no room for it.
   */
  add(conversation: string, byteLength: number, run: () => Promise<void>): Promise<void> | undefined
}

/** The bounds of a queue. */
export interface TurnQueueLimits {
  /** How much is done at once. */
  readonly running: number
  /** How much may wait. */
  readonly waiting: number
  /** How much may wait of one conversation. */
  readonly waitingOfOne: number
  /** How many bytes may wait. */
  readonly waitingBytes: number
}

interface Work {
  readonly byteLength: number
  readonly run: () => Promise<void>
  readonly done: () => void
}

/**
 * Creates a queue.
 *
 * @param limits - Its bounds.
 */
export function createTurnQueue(limits: TurnQueueLimits): TurnQueue {
  // A conversation is here while its work waits or is done; `ready` holds those whose next work may begin.
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

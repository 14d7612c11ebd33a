import type { AgentReply, AgentReplyAction, AgentReplyResult } from '@trestle/protocol'
import { never } from '../../base/never.ts'

const maxFailures = 100
const visible = ['reply', 'question', 'edit', 'resolve']

/** Sends the replies of one phase of a turn, in sequence. */
export interface Messenger {
  /** Whether the phase is active; after it, code stops at its next call. */
  readonly open: boolean
  /** Whether the service accepted a visible reply: a message, a question, an edit, or the end of the conversation. */
  readonly said: boolean
  /**
   * Sends a reply after all earlier ones.
   *
   * @param toAction - Creates the reply action when it is sent.
   * @returns The service's response; the promise never settles once the phase is over.
   */
  send(toAction: () => AgentReplyAction | Promise<AgentReplyAction>): Promise<AgentReplyResult>
  /**
   * Tracks work of the phase, so that the phase waits for it and a failure cannot end the process.
   *
   * @param work - The promise returned by a function of the context.
   */
  hold<TValue>(work: Promise<TValue>): Promise<TValue>
  /** The failures of tracked work, in order. */
  readonly failures: readonly unknown[]
  /** Waits until all work has settled. Never rejects. */
  settled(): Promise<void>
  close(): void
}

/** The dependencies of a turn's messengers. */
export interface MessengerOptions {
  /** The common fields of all replies of the turn. */
  readonly head: Pick<AgentReply, 'agentId' | 'conversationId' | 'integrationIdentifier' | 'deliveryId' | 'turnId'>
  /** Returns the position of the next reply in its turn. */
  readonly nextSequence: () => number
  readonly post: (reply: AgentReply) => Promise<AgentReplyResult>
  /** Called when code continues after its phase. */
  readonly onLate: () => void
}

/** Creates the messenger of a phase. */
export function createMessenger({ head, nextSequence, post, onLate }: MessengerOptions): Messenger {
  let last: Promise<unknown> = Promise.resolve()
  let open = true
  let said = false
  const held = new Set<Promise<unknown>>()
  const failures: unknown[] = []
  return {
    failures,
    get open() {
      return open
    },
    get said() {
      return said
    },
    send(toAction) {
      if (!open) {
        onLate()
        return never()
      }
      const sending = last.then(async () => {
        const action = await toAction()
        if (!open) return never()
        const result = await post({ version: 1, ...head, sequence: nextSequence(), ...action })
        said ||= visible.some((name) => name in action)
        return open ? result : never()
      })
      last = sending.catch(() => undefined)
      return sending
    },
    hold(work) {
      const settled = work
        .catch((error: unknown) => {
          if (open && failures.length < maxFailures) failures.push(error)
        })
        .finally(() => held.delete(settled))
      held.add(settled)
      return work
    },
    async settled() {
      // Also waits for work added during the wait.
      while (held.size > 0) await Promise.all(held)
      await last
    },
    close() {
      open = false
    },
  }
}

import type { AgentReply, AgentReplyAction, AgentReplyResult } from '@trestle/protocol'
import { never } from '../../base/never.ts'

const maxFailures = 100
const visible = ['reply', 'question', 'edit', 'resolve']

/** Sends the replies of one phase of a turn, one after the other. */
export interface Messenger {
  /** Whether the phase still goes on; after it code stops at its next call. */
  readonly open: boolean
  /** Whether the service took a reply that a person sees: a message, a question, an edit, the end. */
  readonly said: boolean
  /**
   * Sends a reply when those before it were sent.
   *
   * @param toAction - What the reply does; made when it is its turn.
   * @returns The answer; it never settles once the phase is over.
   */
  send(toAction: () => AgentReplyAction | Promise<AgentReplyAction>): Promise<AgentReplyResult>
  /**
   * Notes work of the phase, so that its end waits for it and its failure cannot end the process.
   *
   * @param work - What a function of the context returns.
   * @returns The same promise.
   */
  hold<TValue>(work: Promise<TValue>): Promise<TValue>
  /** The failures of noted work, in their order. */
  readonly failures: readonly unknown[]
  /** Waits until nothing is on its way any more. Never rejects. */
  settled(): Promise<void>
  /** Ends the phase. */
  close(): void
}

/** What the messengers of a turn send with. */
export interface MessengerOptions {
  /** The fields that every reply of the turn has. */
  readonly head: Pick<AgentReply, 'agentId' | 'conversationId' | 'integrationIdentifier' | 'deliveryId' | 'turnId'>
  /** Returns the position of the next reply in its turn. */
  readonly nextSequence: () => number
  /** Sends one reply. */
  readonly post: (reply: AgentReply) => Promise<AgentReplyResult>
  /** Called when code goes on after its phase. */
  readonly onLate: () => void
}

/**
 * Creates the messenger of a phase.
 *
 * @param options - What it sends with.
 */
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
      // What is begun while this waits is waited for, too.
      while (held.size > 0) await Promise.all(held)
      await last
    },
    close() {
      open = false
    },
  }
}

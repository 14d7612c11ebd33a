import type { AgentEvent, AgentEventName, AgentReply, AgentReplyResult } from '@trestle/protocol'
import type { AgentDefinition } from '../agent/agent-definition.ts'
import { pause } from '../base/event-loop.ts'
import type { Notices } from '../bridge/notices.ts'
import type { TriggerOptions } from '../trigger/trigger-workflow.ts'
import { createContext } from './create-context.ts'
import { createPhaseIds, type PhaseIdsOptions } from './phase-ids.ts'
import { createMessenger, type Messenger, type MessengerOptions } from './reply/messenger.ts'

/** One event that an agent handles. */
export interface Turn {
  readonly agent: AgentDefinition
  /** The name of the event. */
  readonly name: AgentEventName
  readonly event: AgentEvent
  readonly account: Pick<TriggerOptions, 'secretKey' | 'apiUrl'>
  readonly post: (reply: AgentReply, signal: AbortSignal) => Promise<AgentReplyResult>
  /** The log messages for operators. */
  readonly notices: Notices
  /** Called with the error thrown by a handler. */
  readonly onError: (error: unknown) => void
}

const onErrorTimeoutMs = 10_000
const timedOut = Symbol('timed out')

/**
 * Runs a turn: the handler, then `onError` if the handler fails or times out, then a failure reply if `onError` sends
 * nothing. Never rejects.
 */
export async function runTurn(turn: Turn): Promise<void> {
  const { agent, name, notices } = turn
  try {
    const handler = agent.handlers[name]
    if (!handler) return
    // Lets the acknowledgement be sent before the agent's code can block the event loop.
    await pause()
    const start = createPhases(turn)
    const failure = await start({ prefix: '', timeoutMs: agent.timeoutMs }, (context) => handler(context as never))
    if (!failure) return
    const late = failure.error === timedOut
    const error = late ? timeoutError(agent) : failure.error
    notices.error(`Agent "${agent.id}" failed in ${name}.`, error)
    turn.onError(error)
    await tell(turn, { error, late, start })
  } catch (error) {
    notices.error(`A turn of agent "${agent.id}" could not be finished.`, error)
  }
}

type Failure = { readonly error: unknown }
type Phases = (
  phase: { readonly prefix: PhaseIdsOptions['prefix']; readonly timeoutMs: number },
  work: (context: unknown, messenger: Messenger) => unknown,
) => Promise<Failure | undefined>

/** Returns a function that runs a phase of a turn with its own time limit, and returns its failure. */
function createPhases(turn: Turn): Phases {
  const options = toMessengerOptions(turn)
  const { agent, event, notices } = turn
  return async ({ prefix, timeoutMs }, work) => {
    const controller = new AbortController()
    const { signal } = controller
    const messenger = createMessenger({ ...options, post: (reply) => turn.post(reply, signal) })
    const ids = createPhaseIds({ agentId: agent.id, deliveryId: event.deliveryId, prefix })
    const context = createContext({ ...{ agent, event, messenger, signal, ids }, account: turn.account })
    let failure: Failure | undefined
    try {
      await within(timeoutMs, async () => {
        try {
          await work(context, messenger)
        } catch (error) {
          failure = { error }
        }
        // Also runs after an error, so that earlier replies are sent.
        await messenger.settled()
      })
    } catch (error) {
      failure ??= { error }
    }
    messenger.close()
    for (const error of messenger.failures)
      if (error !== failure?.error) notices.error(`A call by agent "${agent.id}" in a turn failed.`, error)
    controller.abort(new DOMException('The turn has ended.', 'AbortError'))
    return failure
  }
}

function toMessengerOptions({ agent, event, notices }: Turn): Omit<MessengerOptions, 'post'> {
  const { conversationId, integrationIdentifier, deliveryId } = event
  let sequence = 0
  return {
    head: { agentId: agent.id, conversationId, integrationIdentifier, deliveryId, turnId: crypto.randomUUID() },
    nextSequence: () => sequence++,
    onLate: () =>
      notices.once(
        `Agent "${agent.id}" continued after its turn had ended, and nothing was sent. Await all work that a handler starts.`,
      ),
  }
}

/** Calls `onError`; if it sends nothing, reports to the conversation that the agent failed. */
async function tell(
  { agent, notices }: Turn,
  { error, late, start }: { readonly error: unknown; readonly late: boolean; readonly start: Phases },
): Promise<void> {
  const { onError } = agent.handlers
  if (onError) {
    let spoken: Messenger | undefined
    const failure = await start({ prefix: 'e', timeoutMs: onErrorTimeoutMs }, (context, messenger) => {
      spoken = messenger
      return onError(error, context as never)
    })
    if (failure) notices.error(`The onError of agent "${agent.id}" failed.`, failure.error)
    if (!failure && spoken?.said) return
  }
  const code = late ? 'TurnTimedOut' : 'TurnFailed'
  const message = late ? 'The agent took too long to answer.' : 'The agent could not answer.'
  await start({ prefix: 'e', timeoutMs: onErrorTimeoutMs * 4 }, (_context, messenger) =>
    messenger.send(() => ({ error: { code, message } })),
  )
}

async function within(timeoutMs: number, work: () => Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(timedOut), timeoutMs)
  })
  try {
    await Promise.race([work(), timeout])
  } finally {
    clearTimeout(timer)
  }
}

function timeoutError({ id, timeoutMs }: AgentDefinition): Error {
  return new Error(`The turn of agent "${id}" took longer than ${timeoutMs} ms.`)
}

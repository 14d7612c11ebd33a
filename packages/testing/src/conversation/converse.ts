import type { Bridge } from '@trestle/core'
import type { AgentDefinition } from '@trestle/core/agents'
import { type AgentReply, CodedError, type ErrorReply, type Subscriber } from '@trestle/protocol'
import { type SigningOptions, signedRequest } from '../bridge/signed-request.ts'
import { answerEmit } from '../context/answer-emit.ts'
import { checkConverseOptions } from '../context/check-options.ts'
import type { NetworkPolicy } from '../context/network-policy.ts'
import { createRealWork } from '../context/real-work.ts'
import { withBase } from '../context/run-options.ts'
import { toSubscriber } from '../context/subscriber.ts'
import { contextStorage, createTestContext, type TestContext } from '../context/test-context.ts'
import { createVirtualClock } from '../context/virtual-clock.ts'
import { withPatches } from '../isolation/install-patches.ts'
import type { ConversationReport } from '../report/conversation-report.ts'
import { noteActions } from '../report/declared-actions.ts'
import { printValue } from '../report/print-value.ts'
import { type Time, toMs } from '../report/time.ts'
import { type ConversationState, createConversationState, takeReply } from './conversation-state.ts'
import { type ConversationTurn, type TurnEvent, toTurnEvent } from './conversation-turn.ts'
import { toEventBody } from './event-body.ts'
import { findRefusal } from './find-refusal.ts'
import { passTime, passTimeUntil } from './pass-time.ts'

/** Options of a conversation. */
export interface ConverseOptions {
  /** The user, or the user's id. @default { subscriberId: 'subscriber-1' } */
  readonly subscriber?: Subscriber | string | undefined
  /** The chat platform. @default 'web' */
  readonly platform?: string | undefined
  /** The start time. The clock advances by `afterMs` and by the agent's waits. @default the time of the call */
  readonly now?: Time | undefined
  /** The hosts that the agent can reach in addition to loopback. @default 'refuse' */
  readonly network?: NetworkPolicy | undefined
}

/** The bridge under test, and its reply address. */
export interface ConverseBridge {
  readonly bridge: Bridge
  readonly signing: SigningOptions
  /** The API address in the bridge's settings. */
  readonly apiUrl: string
  readonly agents: readonly AgentDefinition[] | undefined
  /** The defaults for all conversations of the bridge. */
  readonly base: Pick<ConverseOptions, 'now' | 'network'>
}

let conversations = 0

/**
 * Runs a conversation with an agent: sends each event after the previous turn, and receives the replies.
 *
 * @param conversation - The turns, and options.
 * @throws CodedError - The bridge rejected an event.
 * @throws TypeError - An option is unknown or invalid, the turns are not a list, a turn is invalid, or a turn answers a
 * question that is not open.
 */
export async function converse(
  on: ConverseBridge,
  agentId: string,
  { turns, given }: { readonly turns: readonly ConversationTurn[]; readonly given: ConverseOptions },
): Promise<ConversationReport> {
  checkConverseOptions(given)
  if (!Array.isArray(turns))
    throw new TypeError(`The turns of a conversation must be a list; got ${printValue(turns).slice(0, 200)}.`)
  const options = withBase(on.base, given)
  const state = createConversationState()
  const id = `conversation-${++conversations}`
  const clock = createVirtualClock(options.now === undefined ? Date.now() : toMs(options.now, 'now'))
  const passing = { clock, work: createRealWork() }
  const subscriber = toSubscriber(options.subscriber)
  const author = { userId: subscriber.subscriberId, isBot: false }
  const play = async (event: TurnEvent): Promise<void> => {
    takeEvent(state, event, toTime(clock.nowMs))
    const context = createTestContext(clock.nowMs, {
      ...passing,
      ...(options.network && { network: options.network }),
      service: (url, init) => serve({ state, clock, apiUrl: on.apiUrl }, url, init),
    })
    const replyUrl = `${on.apiUrl}/v1/agents/${encodeURIComponent(agentId)}/reply`
    const body = toEventBody({ ...{ id, event, state, replyUrl, subscriber }, platform: options.platform ?? 'web' })
    // The code that handles the call has timers shared by all conversations.
    clock.active = false
    const works = await sendEvent(on, { agentId, event, body }, context)
    clock.active = true
    await passTimeUntil(passing, Promise.all(works))
  }
  return withPatches(async () => {
    for (const [position, turn] of turns.entries()) {
      const event = toTurnEvent(turn, { state, position, author })
      await passTime(passing, event.afterMs)
      if (!isNews(state, event)) continue
      await play(event)
      if (!state.owesEnd) continue
      state.owesEnd = false
      await play({ event: 'onResolve', part: {}, afterMs: 0 })
    }
    const { messages: _m, status: _s, owesEnd: _o, personReactions: _p, ...rest } = state
    const report = { agentId, ...rest }
    noteActions(report, on.agents?.find((agent) => agent.id === agentId)?.actions)
    return report
  })
}

const toTime = (ms: number): string => new Date(ms).toISOString()

/** As in the service: the end is sent once, and an existing reaction is not sent again. */
function isNews({ status, personReactions }: ConversationState, { event, part }: TurnEvent): boolean {
  if (event === 'onResolve') return status !== 'resolved'
  if (!part.reaction) return true
  const reaction = JSON.stringify([part.reaction.messageId, part.reaction.emoji])
  if (personReactions.has(reaction)) return false
  personReactions.add(reaction)
  return true
}

/** Applies an event as the service does before sending it: a message, click or answer reopens the conversation. */
function takeEvent(state: ConversationState, { event, message }: TurnEvent, timestamp: string): void {
  if (event === 'onResolve') state.status = 'resolved'
  if (event === 'onMessage' || event === 'onAction') state.status = 'open'
  if (message) state.messages.push({ role: 'user', ...message, timestamp })
  state.turns.push({ event, replies: [], at: timestamp })
}

interface Sent {
  readonly agentId: string
  readonly event: TurnEvent
  readonly body: object
}

async function sendEvent(
  { bridge, signing }: ConverseBridge,
  { agentId, event, body }: Sent,
  context: TestContext,
): Promise<readonly Promise<unknown>[]> {
  const { nowMs } = context
  const request = await signedRequest({ action: 'agent-event', body }, { ...signing, nowMs })
  const url = new URL(request.url)
  url.searchParams.set('agentId', agentId)
  url.searchParams.set('event', event.event)
  const bytes = new TextEncoder().encode(request.body)
  const works: Promise<unknown>[] = []
  const reply = await contextStorage.run(context, () =>
    bridge.handle({
      method: request.method,
      url: url.href,
      header: (name) => request.headers[name],
      readBody: () => ({ bytes, exact: true }),
      waitUntil: (work) => works.push(work),
    }),
  )
  if (reply.status !== 200) {
    const { code, message, data } = JSON.parse(reply.body) as ErrorReply
    throw new CodedError(code as CodedError['code'], message, {
      data: data as Record<string, unknown>,
      status: reply.status,
    })
  }
  return works
}

/** The API of a conversation. */
interface Api {
  readonly state: ConversationState
  readonly clock: { readonly nowMs: number }
  readonly apiUrl: string
}

/** Handles the agent's replies, workflow triggers and events. */
async function answer({ state, clock }: Api, path: string, init: RequestInit | undefined): Promise<Response> {
  const body: unknown = JSON.parse(String(init?.body ?? '{}'))
  const created = (data: unknown): Response => Response.json({ data }, { status: 201 })
  if (isReplyPath.test(path)) return takeOrRefuse(state, body as AgentReply, toTime(clock.nowMs))
  if (path === '/v1/events/trigger') return created(takeTrigger(state, body as TriggerBody))
  if (path === '/v1/events/trigger/bulk')
    return created((body as { readonly events: readonly TriggerBody[] }).events.map((one) => takeTrigger(state, one)))
  if (path === '/v1/events/emit') return answerEmit(body, () => undefined)
  const message = `${init?.method ?? 'GET'} ${path} is not available in a test of a conversation.`
  return Response.json({ statusCode: 404, message }, { status: 404 })
}

const isReplyPath = /^\/v1\/agents\/[^/]+\/reply$/

interface TriggerBody {
  readonly name: string
  readonly to: unknown
  readonly payload: unknown
}

function takeTrigger(state: ConversationState, { name, to, payload }: TriggerBody): object {
  state.triggered.push({ workflowId: name, to, payload })
  return { acknowledged: true, status: 'processed', transactionId: `transaction-${state.triggered.length}` }
}

function takeOrRefuse(state: ConversationState, reply: AgentReply, timestamp: string): Response {
  const refusal = findRefusal(state, reply)
  if (refusal) return Response.json({ statusCode: refusal.status, ...refusal.body }, { status: refusal.status })
  return Response.json({ data: takeReply(state, reply, timestamp) })
}

function serve(api: Api, url: string, init: RequestInit | undefined): Promise<Response> | undefined {
  return url.startsWith(`${api.apiUrl}/`) ? answer(api, url.slice(api.apiUrl.length), init) : undefined
}

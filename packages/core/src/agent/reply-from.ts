import { isObject } from '../base/json.ts'
import type { ToolApproval } from './tool-approval.ts'

/** A call of a model by the AI SDK, as `streamText` returns it. */
export interface ModelResult {
  /** The text, in parts. */
  readonly textStream: AsyncIterable<string>
  /** All that the last step brought. */
  readonly content: PromiseLike<readonly object[]>
  /** The messages that the call adds to those it was given. */
  readonly response: PromiseLike<{ readonly messages: readonly object[] }>
}

/** A call of a tool that waits for an approval. */
export interface WaitingToolCall {
  /** The name of the tool. */
  readonly toolName: string
  /** What it is called with. */
  readonly input: unknown
}

/** The functions of an agent's context that are used. */
export interface ReplyFromContext {
  /** Sends the text while it grows. */
  reply(text: AsyncIterable<string>): Promise<unknown>
  /** Asks for an approval. */
  approve(id: 'toolApproval', question: { readonly text: string; readonly value: ToolApproval }): Promise<unknown>
}

/** Options of {@link replyFrom}. */
export interface ReplyFromOptions {
  /** The messages the model was called with. */
  readonly messages: readonly object[]
  /** Returns what the person is asked. @default the names of the tools, with what they are called with */
  readonly toText?: ((calls: readonly WaitingToolCall[]) => string) | undefined
}

const maxShownInput = 500

/**
 * Sends what a model says while it says it, then asks for the tools that wait for an approval, all in one question. The
 * messages travel with the question, so that its answer can be handled by any process.
 *
 * @param context - The context of a handler, of an agent with the action `toolApproval`.
 * @param result - What `streamText` returned.
 * @param options - The messages it was called with.
 * @throws What the model fails with.
 * @example
 * onMessage: async (context) => {
 *   const messages = toModelMessages(context.history, context.message)
 *   await replyFrom(context, streamText({ model, tools, messages, abortSignal: context.signal }), { messages })
 * }
 */
export async function replyFrom(
  context: ReplyFromContext,
  result: ModelResult,
  { messages, toText = describe }: ReplyFromOptions,
): Promise<void> {
  const text = await untilText(result.textStream)
  if (text) await context.reply(text)
  const calls = (await result.content).flatMap(toWaiting)
  if (calls.length === 0) return
  const { messages: added } = await result.response
  const value = { approvalIds: calls.map(({ approvalId }) => approvalId), messages: [...messages, ...added] }
  await context.approve('toolApproval', { text: toText(calls), value: value as ToolApproval })
}

/** Reads a stream up to its first text; `undefined` where it has none, as where a model only calls tools. */
async function untilText(stream: AsyncIterable<string>): Promise<AsyncIterable<string> | undefined> {
  const iterator = stream[Symbol.asyncIterator]()
  let head = ''
  while (head.trim() === '') {
    const { done, value } = await iterator.next()
    if (done) return undefined
    head += value
  }
  return (async function* () {
    yield head
    yield* { [Symbol.asyncIterator]: () => iterator }
  })()
}

function toWaiting(part: object): readonly (WaitingToolCall & { readonly approvalId: string })[] {
  const { type, approvalId, toolCall } = part as Readonly<Record<string, unknown>>
  if (type !== 'tool-approval-request' || typeof approvalId !== 'string' || !isObject(toolCall)) return []
  return [{ approvalId, toolName: String(toolCall['toolName']), input: toolCall['input'] }]
}

function describe(calls: readonly WaitingToolCall[]): string {
  const shown = calls.map(({ toolName, input }) => `${toolName} ${JSON.stringify(input ?? {}).slice(0, maxShownInput)}`)
  return `May I run ${shown.join(' and ')}?`
}

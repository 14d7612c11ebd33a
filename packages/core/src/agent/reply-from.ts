import { isObject } from '@trestle/protocol'
import { describeCalls, toApprovalValue, type WaitingToolCall } from './approval-question.ts'
import { checkToolInput, toJsonMessages } from './json-messages.ts'
import { readModelText } from './model-text.ts'
import type { ToolApproval } from './tool-approval.ts'

/** A model call of the AI SDK, as `streamText` returns it. */
export interface ModelResult {
  /** All stream parts, such as texts, tool calls and errors. */
  readonly fullStream: AsyncIterable<object>
  /** All content that the last step produced. */
  readonly content: PromiseLike<readonly object[]>
  /** The messages that the call adds, for all steps; since version 7. */
  readonly responseMessages?: PromiseLike<readonly object[]> | undefined
  /** The messages that the call adds. Since version 7, only those of the last step. */
  readonly response: PromiseLike<{ readonly messages: readonly object[] }>
}

/** The functions of an agent's context that `replyFrom` uses. */
export interface ReplyFromContext {
  /** Sends a text stream as it grows. */
  reply(text: AsyncIterable<string>): Promise<unknown>
  /** Asks for an approval. */
  approve(
    id: 'toolApproval',
    question: { readonly text: string; readonly value: ToolApproval; readonly by?: string | readonly string[] },
  ): Promise<unknown>
}

/** Options of {@link replyFrom}. */
export interface ReplyFromOptions {
  /** The messages passed to the model. */
  readonly messages: readonly object[]
  /** Returns the question text. @default the names and inputs of the tools */
  readonly toText?: ((calls: readonly WaitingToolCall[]) => string) | undefined
  /** The only person or people allowed to approve, by `author.userId`. @default everyone in the conversation */
  readonly by?: string | readonly string[] | undefined
}

/**
 * Streams a model's text to the conversation, then asks for approval of pending tool calls in one question. The latest
 * messages are stored with the question, so that any process can handle its answer.
 *
 * @param context - The handler context of an agent with the action `toolApproval`.
 * @param result - The result of `streamText`.
 * @param options - The messages passed to the model.
 * @throws The model's error, even if it occurs during the answer.
 * @throws Error - The model returned no text and no successful tool call.
 * @throws TypeError - The messages of the calls are too long to store with the question, or contain values that JSON
 *   cannot represent.
 * @example
 * onMessage: async (context) => {
 *   const messages = toModelMessages(context.history, context.message)
 *   await replyFrom(context, streamText({ model, tools, messages, abortSignal: context.signal }), { messages })
 * }
 */
export async function replyFrom(
  context: ReplyFromContext,
  result: ModelResult,
  { messages, toText = describeCalls, by }: ReplyFromOptions,
): Promise<void> {
  const text = await untilText(readModelText(result.fullStream))
  if (text) await context.reply(text)
  const calls = (await result.content).flatMap(toWaiting)
  if (calls.length === 0) return
  const added = (await result.responseMessages) ?? (await result.response).messages
  for (const { toolName, input } of calls) checkToolInput(toolName, input)
  const approvalIds = calls.map(({ approvalId }) => approvalId)
  const value = toApprovalValue(approvalIds, toJsonMessages([...messages, ...added]))
  await context.approve('toolApproval', { text: toText(calls), value, ...(by !== undefined && { by }) })
}

/** Reads a stream up to its first text; returns `undefined` if it has none, for example only tool calls. */
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

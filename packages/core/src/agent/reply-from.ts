import { isObject } from '../base/json.ts'
import { describeCalls, toApprovalValue, type WaitingToolCall } from './approval-question.ts'
import { checkToolInput, toJsonMessages } from './json-messages.ts'
import { readModelText } from './model-text.ts'
import type { ToolApproval } from './tool-approval.ts'

/** A call of a model by the AI SDK, as `streamText` returns it. */
export interface ModelResult {
  /** All that it brings, in parts: texts, calls of tools, errors. */
  readonly fullStream: AsyncIterable<object>
  /** All that the last step brought. */
  readonly content: PromiseLike<readonly object[]>
  /** The messages that the call adds to those it was given, from version 7 on: of all steps. */
  readonly responseMessages?: PromiseLike<readonly object[]> | undefined
  /** The messages that the call adds to those it was given, in version 6; of the last step, from version 7 on. */
  readonly response: PromiseLike<{ readonly messages: readonly object[] }>
}

/** The functions of an agent's context that are used. */
export interface ReplyFromContext {
  /** Sends the text while it grows. */
  reply(text: AsyncIterable<string>): Promise<unknown>
  /** Asks for an approval. */
  approve(
    id: 'toolApproval',
    question: { readonly text: string; readonly value: ToolApproval; readonly by?: string | readonly string[] },
  ): Promise<unknown>
}

/** Options of {@link replyFrom}. */
export interface ReplyFromOptions {
  /** The messages the model was called with. */
  readonly messages: readonly object[]
  /** Returns what the person is asked. @default the names of the tools, with what they are called with */
  readonly toText?: ((calls: readonly WaitingToolCall[]) => string) | undefined
  /** The only person, or people, who may approve, by `author.userId`. @default everyone in the conversation */
  readonly by?: string | readonly string[] | undefined
}

/**
 * Sends what a model says while it says it, then asks for the tools that wait for an approval, all in one question. The
 * messages travel with the question, so that its answer can be handled by any process; of a long conversation the latest.
 *
 * @param context - The context of a handler, of an agent with the action `toolApproval`.
 * @param result - What `streamText` returned.
 * @param options - The messages it was called with.
 * @throws What the model fails with, also where it fails in the middle of its answer.
 * @throws Error - The model ended without a text, and called no tool or only such as failed.
 * @throws TypeError - The messages of the calls are too long to travel with the question, or hold what JSON cannot carry.
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

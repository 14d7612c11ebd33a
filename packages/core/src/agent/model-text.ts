import { toThrown } from '../base/thrown.ts'

type Part = Readonly<Record<'type' | 'text' | 'error' | 'finishReason' | 'toolCallId' | 'toolName', unknown>>

// Parts by which a call of a tool counts as done: by code of yours, by the answer to a question, or by the tool itself.
const doneBy: readonly unknown[] = ['tool-call', 'tool-approval-request', 'tool-output-denied', 'tool-result']

/**
 * Reads the text out of all that a model brings. The texts of several steps are a blank line apart. Providers report an
 * overload in the middle of an answer as a part of the stream, which ends as if all was said: that is thrown here.
 *
 * @param parts - The parts, as the AI SDK has them in `fullStream`.
 * @throws What the model fails with; an `Error` around it where it is none.
 * @throws DOMException - `AbortError`: the call was aborted.
 * @throws Error - The model said nothing, and called no tool or only such as failed.
 */
export async function* readModelText(parts: AsyncIterable<object>): AsyncGenerator<string> {
  let said = false
  const done = new Set<unknown>()
  let failed: Part | undefined
  let isNewStep = false
  let reason: unknown
  for await (const part of parts) {
    const { type, text, error, finishReason } = part as Part
    if (type === 'error') throw error instanceof Error ? error : modelFailed(toThrown(error).message, error)
    if (type === 'abort') throw new DOMException('The call to the model was aborted.', 'AbortError')
    if (type === 'start-step') isNewStep = true
    if (type === 'finish') reason = finishReason
    if (doneBy.includes(type)) done.add((part as Part).toolCallId)
    if (type === 'tool-error') {
      done.delete((part as Part).toolCallId)
      failed = part as Part
    }
    if (type !== 'text-delta' || typeof text !== 'string' || text === '') continue
    yield isNewStep && said ? `\n\n${text}` : text
    isNewStep = false
    said ||= text.trim() !== ''
  }
  if (reason === 'error') throw modelFailed('it gives no reason.')
  // Tools may have said what there was to say; a model that does nothing at all leaves the person without an answer.
  if (said || done.size > 0) return
  if (!failed) throw modelFailed(`it ended (${String(reason)}) without text or a tool call.`)
  const why = `it ended (${String(reason)}) without text, and its tool "${String(failed.toolName)}" failed: `
  throw modelFailed(why + toThrown(failed.error).message, failed.error)
}

function modelFailed(why: string, cause?: unknown): Error {
  return new Error(`The model failed: ${why}`, { cause })
}

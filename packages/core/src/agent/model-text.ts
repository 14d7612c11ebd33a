import { toThrown } from '../base/thrown.ts'

type Part = Readonly<Record<'type' | 'text' | 'error' | 'finishReason' | 'toolCallId' | 'toolName', unknown>>

// Stream parts that finish a tool call: the output of your code, the answer to a question, or the output of the tool
// itself.
const doneBy: readonly unknown[] = ['tool-call', 'tool-approval-request', 'tool-output-denied', 'tool-result']

/**
 * Reads the text of a model's stream. Texts of different steps are separated by a blank line. Some providers report an
 * overload as a part of the stream and then end normally; this function throws such an error.
 *
 * @param parts - The parts, as in the AI SDK's `fullStream`.
 * @throws The model's error, wrapped in an `Error` if it is not one.
 * @throws DOMException - `AbortError`: the call was aborted.
 * @throws Error - The model returned no text and no successful tool call.
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
  // A tool call can be the complete response; a model that returns nothing would leave the user without one.
  if (said || done.size > 0) return
  if (!failed) throw modelFailed(`it ended (${String(reason)}) without text or a tool call.`)
  const why = `it ended (${String(reason)}) without text, and its tool "${String(failed.toolName)}" failed: `
  throw modelFailed(why + toThrown(failed.error).message, failed.error)
}

function modelFailed(why: string, cause?: unknown): Error {
  return new Error(`The model failed: ${why}`, { cause })
}

import { type AgentReply, type AgentReplyResult, CodedError, isObject, parseJson } from '@trestle/protocol'
import { readRefusal } from './read-refusal.ts'

const waitsMs = [250, 500]
const timeoutMs = 10_000
const maxAnswerBytes = 64 * 1024
const retried = [408, 429, 500, 502, 503, 504]

export interface ReplyTarget {
  /** The address, which belongs to the API. */
  readonly url: string
  readonly secretKey: string
}

type Attempt = { readonly status: number; readonly text: string } | { readonly status: 0 }

/**
 * Sends one reply, in up to three attempts with one idempotency key. Does not follow redirects.
 *
 * @throws CodedError - `ApiRequestFailedError` with the service's reason; it never contains the secret.
 */
export async function postReply(
  target: ReplyTarget,
  reply: AgentReply,
  signal: AbortSignal,
): Promise<AgentReplyResult> {
  const body = JSON.stringify(reply)
  const headers = {
    authorization: `ApiKey ${target.secretKey}`,
    'content-type': 'application/json',
    'idempotency-key': `${reply.turnId}.${reply.sequence}`,
  }
  for (let attempt = 0; ; attempt++) {
    const answer = await tryOnce(target.url, { method: 'POST', headers, body, redirect: 'manual' }, signal)
    if (answer.status >= 200 && answer.status < 300 && 'text' in answer) return toResult(answer.text)
    const waitMs = waitsMs[attempt]
    if (waitMs === undefined || signal.aborted || !(answer.status === 0 || retried.includes(answer.status)))
      throw refused(answer, target.secretKey)
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}

/**
 * Makes one attempt; returns status 0 if there was no response. Drops the reason, because an error from `fetch` may
 * contain the header.
 */
async function tryOnce(url: string, init: RequestInit, signal: AbortSignal): Promise<Attempt> {
  const controller = new AbortController()
  const abort = (): void => controller.abort()
  const timer = setTimeout(abort, timeoutMs)
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  try {
    const response = await fetch(url, { ...init, signal: controller.signal })
    return { status: response.status, text: await readText(response) }
  } catch {
    return { status: 0 }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}

async function readText({ body }: Response): Promise<string> {
  if (!body) return ''
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (let size = 0; ; ) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    size += value.byteLength
    if (size > maxAnswerBytes) {
      await reader.cancel()
      return ''
    }
    text += decoder.decode(value, { stream: true })
  }
}

/** Reads the ids in a response; a response without ids is fine, because the message was accepted. */
function toResult(text: string): AgentReplyResult {
  const parsed = parseJson(text)
  const data = isObject(parsed) ? parsed['data'] : undefined
  if (!isObject(data)) return {}
  const { messageId, platformThreadId } = data
  return {
    ...(typeof messageId === 'string' && { messageId }),
    ...(typeof platformThreadId === 'string' && { platformThreadId }),
  }
}

function refused(answer: Attempt, secretKey: string): CodedError {
  const { status } = answer
  const why = 'text' in answer ? readRefusal(answer.text, secretKey) : undefined
  const message =
    status === 0
      ? 'The REST API could not be reached to send the reply of an agent.'
      : `The REST API answered ${status} to the reply of an agent${why === undefined ? '.' : `: ${why}`}`
  return new CodedError('ApiRequestFailedError', message, {
    data: { statusCode: status === 0 ? 502 : status, message },
    ...(status >= 400 && status < 500 && { status }),
  })
}

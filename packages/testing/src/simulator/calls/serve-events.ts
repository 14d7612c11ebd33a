import { parseJson, parseUrl } from '@trestle/protocol'
import { answerEmit } from '../../context/answer-emit.ts'
import { contextStorage, type TestContext, timeOf } from '../../context/test-context.ts'

interface KeyedAnswer {
  /** The request, as text. */
  readonly request: string
  readonly answer: Response
}

/**
 * Creates the API that emits events. It answers requests as the service does, each idempotency key once, and returns
 * `undefined` for other requests.
 */
export function createEventsApi(): NonNullable<TestContext['service']> {
  const answers = new Map<string, KeyedAnswer>()
  return (url, init) => {
    if (init?.method !== 'POST' || !parseUrl(url)?.pathname.endsWith('/v1/events/emit')) return undefined
    const context = contextStorage.getStore()
    const { emit } = context ?? {}
    if (!context || !emit) return undefined
    const body = String(init.body)
    const key = new Headers(init.headers).get('idempotency-key') ?? ''
    const request = JSON.stringify([url, body])
    const earlier = answers.get(key)
    if (earlier && earlier.request !== request) return Promise.resolve(refuseKey(key))
    const answer = earlier?.answer ?? answerEmit(parseJson(body), (event) => emit(event, timeOf(context)))
    if (key !== '') answers.set(key, { request, answer })
    return Promise.resolve(answer.clone())
  }
}

function refuseKey(key: string): Response {
  const message =
    `Request with key "${key}" is being reused for a different body, or another URL. A key identifies one request; ` +
    'send a new key with a new request'
  return Response.json({ statusCode: 422, message }, { status: 422 })
}

import { isObject, parseJson, parseUrl } from '@trestle/protocol'
import type { EmittedEvent } from '../../context/run-options.ts'
import { contextStorage, timeOf } from '../../context/test-context.ts'

/**
 * Responds to requests that emit an event, as the service does; returns `undefined` for other requests.
 *
 * @param init - The request options.
 */
export function serveEvents(url: string, init: RequestInit | undefined): Promise<Response> | undefined {
  if (init?.method !== 'POST' || !parseUrl(url)?.pathname.endsWith('/v1/events/emit')) return undefined
  const context = contextStorage.getStore()
  const event = parseJson(String(init.body))
  if (!context?.emit || !isObject(event)) return undefined
  try {
    context.emit(event as unknown as EmittedEvent, timeOf(context))
    return answer(201, { data: { acknowledged: true, eventId: '0'.repeat(24) } })
  } catch (error) {
    return answer(422, { statusCode: 422, message: (error as Error).message, errors: {} })
  }
}

async function answer(status: number, body: object): Promise<Response> {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
}

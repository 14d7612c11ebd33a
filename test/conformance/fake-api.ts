import { listen } from './mounts/node.ts'

/** An API call that was received. */
export interface ReceivedCall {
  readonly url: string | undefined
  readonly method: string | undefined
  readonly authorization: string | undefined
  readonly body: Record<string, unknown>
}

/** The parts of the service's API that a bridge calls. */
export interface FakeApi {
  /** Its URL, without a path. */
  readonly origin: string
  /** The received requests, in order. */
  readonly received: ReceivedCall[]
  /** The response to send; status 0 sends none. */
  answer: { readonly status: number; readonly body: string }
}

/**
 * Starts an API on a free port for the lifetime of the process. Its URL is a bridge option, so it is awaited before the
 * cases are described: a reserved port could be taken in the meantime.
 */
export async function startFakeApi(): Promise<FakeApi> {
  const received: ReceivedCall[] = []
  const { server, origin } = await listen(async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += String(chunk)
    const { url, method, headers } = request
    received.push({ url, method, authorization: headers.authorization, body: JSON.parse(text) })
    const { status, body } = api.answer
    if (status > 0)
      response.writeHead(status, { 'content-type': 'application/json', location: 'http://127.0.0.1:1/' }).end(body)
  })
  server.unref()
  const api: FakeApi = { origin, received, answer: { status: 201, body: '{}' } }
  return api
}

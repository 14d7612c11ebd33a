import { listen } from './mounts/node.ts'

/** A call of the API, as it arrived. */
export interface ReceivedCall {
  readonly url: string | undefined
  readonly method: string | undefined
  readonly authorization: string | undefined
  readonly body: Record<string, unknown>
}

/** The API of the service, as far as a bridge calls it. */
export interface FakeApi {
  /** Its address, without a path. */
  readonly origin: string
  /** The received requests, in order. */
  readonly received: ReceivedCall[]
  /** The answer; none for status 0. */
  answer: { readonly status: number; readonly body: string }
}

/**
 * Starts an API on a free port, for as long as the process lives. Its address is an option of the bridge, so it is
 * awaited
 * before the cases are described: a port that is only chosen there may be taken when it is used.
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

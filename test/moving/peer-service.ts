import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A bridge's response. */
export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape.
  readonly body: any
}

/**
 * Calls a bridge as the legacy service does: with its header, its query, and its body as compact JSON in the same field
 * order.
 */
export async function callAsPeer(
  bridge: string,
  query: Readonly<Record<string, string>>,
  { body, secret }: { readonly body?: object | undefined; readonly secret: string },
): Promise<Answer> {
  const text = body && JSON.stringify(body)
  const timestamp = Date.now()
  const mac = createHmac('sha256', secret).update(`${timestamp}.${text ?? '{}'}`)
  const response = await fetch(`${bridge}?${new URLSearchParams(query)}`, {
    method: text === undefined ? 'GET' : 'POST',
    headers: {
      'content-type': 'application/json',
      'bypass-tunnel-reminder': 'true',
      'novu-signature': `t=${timestamp},v1=${mac.digest('hex')}`,
    },
    ...(text !== undefined && { body: text }),
  })
  return { status: response.status, body: await response.json() }
}

/** An API call that was received. */
export interface ApiCall {
  readonly method: string
  readonly path: string
  readonly authorization: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of any shape.
  readonly body: any
}

/** A fake API of the legacy service: it syncs a bridge with a discover call, and records requests. */
export interface PeerApi {
  readonly url: string
  readonly calls: ApiCall[]
  /** The response of the last synced bridge. */
  readonly discovered: () => Answer | undefined
  close(): void
}

/**
 * @param secret - The environment's secret key, which signs bridge calls.
 */
export async function startPeerApi(secret: string): Promise<PeerApi> {
  const calls: ApiCall[] = []
  let discovered: Answer | undefined
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString()
    const { method = '', url: path = '' } = request
    const call = { method, path, authorization: request.headers.authorization, body: text && JSON.parse(text) }
    calls.push(call)
    let status = call.authorization === `ApiKey ${secret}` ? 200 : 401
    if (status === 200 && path.startsWith('/v1/bridge/sync')) {
      discovered = await callAsPeer(call.body.bridgeUrl, { action: 'discover' }, { secret })
      status = discovered.status === 200 && Array.isArray(discovered.body.workflows) ? 201 : 400
    }
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(status < 300 ? { data: [] } : { statusCode: status, message: 'refused' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, calls, discovered: () => discovered, close: () => void server.close() }
}

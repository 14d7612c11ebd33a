import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'vitest'

/** A text message that the provider received. */
export interface ReceivedText {
  /** The key by which a provider recognizes a repeated message. */
  readonly key: string
  readonly atMs: number
}

/**
 * Starts a provider of text messages that records what it receives.
 *
 * @param respond - Answers a request. @default never answers
 */
export async function startTextProvider(
  context: Pick<TestContext, 'onTestFinished'>,
  respond: (response: ServerResponse) => void = () => undefined,
) {
  const texts: ReceivedText[] = []
  const server = createServer((request, response) => {
    texts.push({ key: String(request.headers['idempotency-key']), atMs: Date.now() })
    request.resume().on('end', () => respond(response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  context.onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const credentials = { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, from: 'me' }
  /** The body with which an environment adds the provider. */
  const integration = { providerId: 'generic-sms', channel: 'sms', name: 'Texts', active: true, credentials }
  return { texts, integration }
}

import { toSubscriberHash } from '../../keys/subscriber-hash.ts'
import { secretKey, type TestReply, type TestService } from '../service.fixture.ts'

/** Calls the API as a web page would, with browser headers. */
export async function request(
  service: TestService,
  path: string,
  init: { readonly method?: string; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<TestReply> {
  const { method = 'GET', body, headers = {} } = init
  const response = await fetch(service.service.url + path, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text === '' ? undefined : JSON.parse(text),
  }
}

/** Returns the application identifier of the environment that a key belongs to. */
export async function findApplication(service: TestService, key: string = secretKey): Promise<string> {
  return (await service.callWith(key)('GET', '/v1/environments/me')).body.data.identifier
}

/** Opens a session for a subscriber and returns its token. */
export async function openSession(
  service: TestService,
  subscriberId: string,
  key: string = secretKey,
): Promise<string> {
  const body = {
    applicationIdentifier: await findApplication(service, key),
    subscriber: { subscriberId },
    subscriberHash: toSubscriberHash(key, subscriberId),
  }
  const opened = await request(service, '/v1/inbox/session', { method: 'POST', body })
  if (opened.status !== 201) throw new Error(`The session was not opened: ${opened.text}`)
  return opened.body.data.token
}

/** An event of a stream. */
export interface ReadEvent {
  readonly id: string
  readonly event: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every shape
  readonly data: any
}

export interface ReadStream {
  readonly events: ReadEvent[]
  /** Resolves after the service has ended the stream. */
  readonly ended: Promise<void>
  close(): void
}

/** Opens an inbox stream and reads it. */
export async function readStream(url: string, token: string, after?: string): Promise<ReadStream> {
  const ending = new AbortController()
  const headers = { authorization: `Bearer ${token}`, ...(after === undefined ? {} : { 'last-event-id': after }) }
  const { body, status } = await fetch(`${url}/v1/inbox/events`, { headers, signal: ending.signal })
  if (status !== 200 || !body) throw new Error(`The stream was not opened: ${status}`)
  const events: ReadEvent[] = []
  const read = async (): Promise<void> => {
    let text = ''
    for await (const piece of body.pipeThrough(new TextDecoderStream())) {
      text += piece
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks.filter((one) => !one.startsWith(':'))) events.push(toEvent(block))
    }
  }
  return { events, ended: read().catch(() => undefined), close: () => ending.abort() }
}

function toEvent(block: string): ReadEvent {
  const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)))
  return { id: fields['id'], event: fields['event'], data: JSON.parse(fields['data']) }
}

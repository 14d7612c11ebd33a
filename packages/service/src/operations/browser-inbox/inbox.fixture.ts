import { toSubscriberHash } from '../../keys/subscriber-hash.ts'
import { secretKey, type TestReply, type TestService } from '../service.fixture.ts'

/** Calls the API as a web page would, with the headers it sets. */
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

/** Returns the application identifier of the environment of a key. */
export async function findApplication(service: TestService, key: string = secretKey): Promise<string> {
  return (await service.callWith(key)('GET', '/v1/environments/me')).body.data.identifier
}

/** Opens the session of a subscriber and returns its token. */
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

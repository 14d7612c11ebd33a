import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createTestApi, failureOf, json, secretKey, serve, text } from '../../fixtures/api.ts'
import { createApiClient } from '../index.ts'

const trigger = { body: { name: 'order-shipped', to: 'customer-1', payload: { id: 7 } } }

describe('the secret', () => {
  it('is only sent to the configured address, because redirects are not followed', async () => {
    const elsewhere: string[] = []
    const other = await serve((request, response) => {
      elsewhere.push(request.url)
      response.end('{}')
    })
    for (const status of [301, 302, 303, 307, 308]) {
      const { api, received } = await createTestApi((_request, response) =>
        response.writeHead(status, { location: other }).end(),
      )
      expect(await failureOf(api.events.trigger(trigger))).toMatchObject({
        code: 'Redirected',
        status,
        location: other,
      })
      expect(received).toHaveLength(1)
    }
    expect(elsewhere).toEqual([])
  })

  it('is never sent outside the base address, for any input', async () => {
    const urls: string[] = []
    const fetch: typeof globalThis.fetch = async (input) => {
      urls.push(String(input))
      return Response.json({})
    }
    const { api } = await createTestApi(json(200, {}), { apiUrl: 'https://api.test/base/', fetch })
    for (const id of ['//evil.test', '\\\\evil.test', 'x?y#z', '@evil.test', '%2e%2e', 'a/../..']) {
      await api.topics.get({ topicKey: id })
      await api.topics.get({ topicKey: id }, { baseUrl: 'https://evil.test', secretKey: 'x' } as object)
    }
    for (const url of urls) expect(new URL(url).href).toMatch(/^https:\/\/api\.test\/base\/v2\/topics\/[^/]+$/)
    expect(urls).toHaveLength(12)
  })

  it('appears in no error and no printed client', async () => {
    const { api } = await createTestApi(text(400, `bad header: ApiKey ${secretKey}`))
    const failure = await failureOf(api.topics.get({ topicKey: 't' }))
    expect(failure.message).toBe('bad header: ApiKey [secret]')
    const refused = await failureOf(
      createApiClient({ secretKey, apiUrl: 'http://127.0.0.1:1', maxRetries: 0 }).topics.get({ topicKey: 't' }),
    )
    expect(inspect([failure, refused, api], { depth: 9, showHidden: true })).not.toContain(secretKey)
  })

  it.each([
    ['as it is', secretKey],
    ['percent-encoded', encodeURIComponent(secretKey).replaceAll('-', '%2D')],
    ['escaped as in JSON', [...secretKey].map((char) => `\\u00${char.charCodeAt(0).toString(16)}`).join('')],
  ])('does not leak through a redirect location that contains it %s', async (_how, form) => {
    const { api } = await createTestApi((_request, response) =>
      response.writeHead(302, { location: `https://evil.test/?key=${form}&x` }).end(),
    )
    const failure = await failureOf(api.topics.get({ topicKey: 't' }))
    expect(failure.location).toBe('https://evil.test/?key=[secret]&x')
    expect(inspect(failure)).not.toContain(form)
  })

  it('does not leak through JSON that escapes it', async () => {
    const escaped = [...secretKey].map((char) => `\\u00${char.charCodeAt(0).toString(16)}`).join('')
    const body = `{"statusCode":400,"message":"key ${escaped}","ctx":{"${escaped}":"${escaped}"},"path":"/${escaped}"}`
    const { api } = await createTestApi(text(400, body))
    const failure = await failureOf(api.topics.get({ topicKey: 't' }))
    expect(failure).toMatchObject({ message: 'key [secret]', path: '/[secret]', ctx: { '[secret]': '[secret]' } })
    expect(inspect(failure, { depth: 9, showHidden: true })).not.toContain(secretKey)
  })

  it('is rejected without being repeated if it is empty or cannot be sent', () => {
    for (const bad of ['', ' ', 'a b', 'key\n', 'schlüssel', undefined]) {
      const make = () => createApiClient({ secretKey: bad as string, apiUrl: 'https://api.test' })
      expect(make).toThrow('secretKey must be a secret key of the environment, without whitespace.')
    }
  })
})

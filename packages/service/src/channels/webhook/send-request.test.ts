import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { createOutbound, type OutboundOptions } from '@trestle/bridge-client'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createCertificate } from '../../../../bridge-client/fixtures/certificate.ts'
import { failingSocket } from '../../../../bridge-client/fixtures/client.ts'
import type { OutgoingRequest } from '../base/delivery.ts'
import { type RequestOptions, sendRequest } from './send-request.ts'

const request: OutgoingRequest = { kind: 'request', method: 'POST', url: 'https://hook.test/', headers: {}, body: {} }

function send(outbound: RequestOptions['outbound'], change: Partial<OutgoingRequest> = {}) {
  const { signal } = new AbortController()
  const options = { outbound, authorizer: {} as never, messageId: 'm', nowMs: 0, signal }
  return sendRequest({ ...request, ...change }, options)
}

/** Sends a request over a network that fails. */
function sendOver(network: OutboundOptions, change: Partial<OutgoingRequest> = {}) {
  return send(createOutbound({ allow: ['127.0.0.0/8'], lookup: async () => ['127.0.0.1'], ...network }), change)
}

describe('a request that fails', () => {
  const retried = { name: 'SendError', blame: 'integration', waitMs: 0 }

  test.each(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'EADDRINUSE'])(
    'while it connects, with %s, is retried and then fails over',
    async (code) => {
      await expect(sendOver({ connect: () => failingSocket(code) })).rejects.toMatchObject({ ...retried, code })
    },
  )

  test('while it looks up the host is retried and then fails over', async () => {
    const lookup = () => Promise.reject(Object.assign(new Error('busy'), { code: 'EAI_AGAIN' }))
    await expect(sendOver({ lookup })).rejects.toMatchObject({ ...retried, code: 'EAI_AGAIN' })
  })

  test('because of the certificate is retried and then fails over', async () => {
    const { cert, key } = createCertificate('other.test')
    const server = createSecureServer({ cert, key }, () => expect.unreachable('nothing is sent'))
    onTestFinished(() => void server.close())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `https://hook.test:${(server.address() as AddressInfo).port}/`
    await expect(sendOver({}, { url })).rejects.toMatchObject({ ...retried, code: 'SelfSignedCertificate' })
    await expect(sendOver({ ca: cert }, { url })).rejects.toMatchObject(retried)
  })

  test('before it is prepared, or at a blocked address, fails over without a retry', async () => {
    const atOnce = { name: 'SendError', blame: 'integration', waitMs: undefined }
    await expect(sendOver({}, { headers: { 'x-key': 'a\nb' } })).rejects.toMatchObject(atOnce)
    await expect(sendOver({ lookup: async () => ['10.0.0.1'] })).rejects.toMatchObject(atOnce)
  })

  test('after it was sent is never repeated', async () => {
    const server = createServer((socket) => socket.once('data', () => socket.destroy()))
    onTestFinished(() => void server.close())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    await expect(sendOver({}, { url })).rejects.toMatchObject({ blame: 'unknown', waitMs: undefined })
  })
})

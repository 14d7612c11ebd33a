import { createOutbound } from '@trestle/bridge-client'
import { expect, test } from 'vitest'
import { postWebhook } from './post-webhook.ts'

const call = { url: 'http://app.test/hook', headers: {}, body: '{}' }

test.each<[what: string, addresses: readonly string[], isFinal: boolean]>([
  ['a host name that does not exist at the moment', [], false],
  ['an address that the network policy blocks', ['10.0.0.1'], true],
])('whether a retry is useless: %s', async (_what, addresses, isFinal) => {
  const outbound = createOutbound({ lookup: async () => addresses })
  const outcome = await postWebhook(outbound, call, AbortSignal.timeout(5000))
  expect(outcome).toEqual({ reason: expect.any(String), isFinal })
})

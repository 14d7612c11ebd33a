import { testBridge } from '@trestle/testing'
import '@trestle/testing/vitest'
import { expect, test } from 'vitest'
import { workflows } from '../../examples/workflows/src/index.ts'

const bridge = testBridge({ workflows })

test('the message contains the code, and the provider receives its lifetime', async () => {
  const run = await bridge.run('sign-in-code', { payload: { code: '123456' } })
  const providers = { twilio: { _passthrough: { body: { validityPeriod: 300 } } } }
  expect(run).toHaveSent('sms', { body: '123456 is your code. It is valid for 5 minutes.' }, { providers })
})

test('renders text that was set in the service', async () => {
  const controls = { code: { text: 'Code: {{ payload.code }}' } }
  const run = await bridge.run('sign-in-code', { payload: { code: '123456' }, controls })
  expect(run).toHaveSent('sms', { body: 'Code: 123456' })
})

test('rejects a code in the wrong format', async () => {
  const run = await bridge.run('sign-in-code', { payload: { code: 'abc' } })
  expect(run).toHaveFailed({ code: 'WorkflowPayloadInvalidError', data: [{ path: '/code' }] })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createBridge } from '../http/create-bridge.ts'
import { workflow } from '../workflow/workflow.ts'

const run = async (): Promise<void> => undefined
const define = (options: unknown): unknown => workflow('w', run, options as never)
const mount = (options: unknown): unknown => createBridge(options as never)

describe('options', () => {
  test.each<[string, () => unknown, RegExp]>([
    [
      'a misspelled option of a workflow',
      () => define({ payloadShema: {} }),
      /unknown option "payloadShema". Did you mean payloadSchema\?/,
    ],
    [
      'the name of an option elsewhere',
      () => mount({ workflows: [], apiKey: 'a' }),
      /unknown option "apiKey". Did you mean secretKey\?/,
    ],
    [
      'one that looks like another',
      () => define({ inputSchema: {} }),
      /unknown option "inputSchema". Did you mean controlSchema\?/,
    ],
    ['an unknown option', () => define({ colour: 1 }), /unknown option "colour". The options are /],
    [
      'tags that are a number',
      () => define({ tags: 5 }),
      /Workflow "w": the option tags must be an array of strings; got 5/,
    ],
    ['tags that hold one', () => define({ tags: ['a', 5] }), /tags must be an array of strings; got an array/],
    [
      'a severity',
      () => define({ severity: 'urgent' }),
      /severity must be one of none, low, medium, high; got "urgent"/,
    ],
    ['a name', () => define({ name: {} }), /name must be a string; got an object/],
    [
      'preferences',
      () => define({ preferences: { channels: { mail: { enabled: true } } } }),
      /option preferences must be/,
    ],
    ['preferences', () => define({ preferences: { all: { enabled: 'yes' } } }), /option preferences must be/],
    ['options that are none', () => define(5), /the options must be an object; got 5/],
    [
      'one workflow',
      () => mount({ workflows: workflow('w', run) }),
      /workflows must be an array of workflows created with workflow\(\); got an object/,
    ],
    ['a workflow that is none', () => mount({ workflows: [{ id: 'x' }] }), /workflows must be an array/],
    ['a logger', () => mount({ logger: 5 }), /logger must be an object with the functions warn and error; got 5/],
    ['cors', () => mount({ cors: 5 }), /cors must be an array of origins/],
    ['hooks', () => mount({ hooks: { onReply: 5 } }), /hooks must be an object/],
    ['a secret', () => mount({ secretKey: 5 }), /secretKey must be a string or an array of at most 3 strings; got 5/],
    ['a header', () => mount({ signatureHeader: 'a b' }), /signatureHeader must be a header name/],
    ['strictness', () => mount({ strictAuthentication: 'true' }), /strictAuthentication must be true or false/],
    ['a nonce store', () => mount({ nonceStore: {} }), /nonceStore must be an object with the function claim/],
    ['no options', () => mount(undefined), /A bridge: the options must be an object; got undefined/],
    ['a misspelled option of a bridge', () => mount({ workflow: [] }), /Did you mean workflows\?/],
  ])('%s: throws a TypeError that names the problem and the expected value', (_name, make, message) => {
    expect(make).toThrow(TypeError)
    expect(make).toThrow(message)
  })

  test('accepts valid values, and ignores undefined', () => {
    const names = [
      'workflows',
      'secretKey',
      'strictAuthentication',
      'signatureHeader',
      'apiUrl',
      'maxBodyBytes',
      'timeoutMs',
      'exposeCode',
      'cors',
      'hooks',
      'nonceStore',
    ]
    expect(() => mount(Object.fromEntries(names.map((name) => [name, undefined])))).not.toThrow()
    expect(() => mount({ logger: console, cors: '*', hooks: {}, secretKey: ['a'], nonceStore: new Map([]) })).toThrow(
      /claim/,
    )
    expect(() => define({ tags: [], preferences: { all: { enabled: undefined } }, severity: 'high' })).not.toThrow()
  })

  test('rejects too many secrets, and ignores unset ones', () => {
    expect(() => mount({ secretKey: ['a', 'b', 'c', 'd'] })).toThrow(
      'secretKey must be a string or an array of at most 3 strings',
    )
    expect(() => mount({ secretKey: ['a', '', 'b', '', 'c'] })).not.toThrow()
  })

  test('create a workflow and a bridge, or throw a TypeError, for any values', () => {
    const options = fc.dictionary(
      fc.constantFrom(
        'tags',
        'name',
        'severity',
        'preferences',
        'workflows',
        'secretKey',
        'cors',
        '__proto__',
        'constructor',
        'x',
      ),
      fc.anything(),
    )
    fc.assert(
      fc.property(options, fc.constantFrom(define, mount), (given, make) => {
        try {
          make(given)
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError)
          expect((error as Error).message).toMatch(/^(Workflow "w"|A bridge): /)
        }
      }),
    )
  })

  test.each([
    ['an unknown option', { contolSchema: {} }, /Did you mean controlSchema\?/],
    ['skip that is no function', { skip: true }, /skip must be a function; got true/],
    ['providers that are no functions', { providers: { sendgrid: {} } }, /providers must be an object of functions/],
  ])('for a step are reported at discovery: %s', async (_name, options, message) => {
    const flow = workflow('w', async ({ step }) => {
      await step.email('mail', () => ({ subject: 's', body: 'b' }), options as never)
    })
    const bridge = createBridge({ workflows: [flow], strictAuthentication: false, logger: { warn() {}, error() {} } })
    const reply = await bridge.fetch(new Request('http://localhost/?action=discover'))
    expect(await reply.json()).toMatchObject({
      code: 'WorkflowDiscoveryFailedError',
      message: expect.stringMatching(message),
    })
  })
})

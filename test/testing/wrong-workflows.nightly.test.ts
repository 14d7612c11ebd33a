import { readFileSync } from 'node:fs'
import * as core from '@trestle/core'
import type { PlayedService } from '@trestle/testing'
import { describe, expect, test } from 'vitest'
import * as zod from 'zod'
import { compileModule } from './wrong-workflows/compile.ts'
import { tests } from './wrong-workflows/tests.ts'
import * as right from './wrong-workflows/workflows.ts'

const source = readFileSync(new URL('wrong-workflows/workflows.ts', import.meta.url), 'utf8')

/** A mistake: the original source, and its replacement. */
const mistakes: readonly (readonly [string, string | RegExp, string])[] = [
  // Twice
  [
    'the email is sent twice',
    "await step.sms('text'",
    "await step.email('again', () => ({ subject: 'Please pay invoice 7', body: '<p>Dear Ada &lt;b&gt;, 99.99 EUR are due.</p><p>Thank you.</p>' }))\n    await step.sms('text'",
  ],
  [
    'the text message is sent in a loop',
    /await step\.sms\('text', (.*), \{\n(.*)\n {4}\}\)/,
    "for (const id of ['text', 'more']) await step.sms(id, $1, { $2 })",
  ],
  [
    'a digest is left out, and each comment sent',
    /const \{ events \} = await step\.digest.*\n/,
    'const events = [{ payload: payload as Record<string, unknown> }]\n',
  ],
  // Lost
  ['the inbox message is lost', /const inbox = await step\.inApp[\s\S]*?\}\)\)\n/, 'const inbox = { read: false }\n'],
  ['the email is lost', 'skip: () => inbox.read', 'skip: () => true'],
  ['a return comes too early', "await step.sms('text'", "if (total !== '') return\n    await step.sms('text'"],
  [
    'a handler fails',
    'body: `$' + '{total} for invoice',
    'body: `$' + '{(undefined as never as { x: string }).x} for invoice',
  ],
  ['comments but the first are lost', '= events.map(', '= events.slice(0, 1).map('],
  // Late, or early
  ['the wait is in months', "{ amount: 2, unit: 'days' }", "{ amount: 2, unit: 'months' }"],
  ['the wait is a day short', "{ amount: 2, unit: 'days' }", "{ amount: 1, unit: 'days' }"],
  ['there is no wait', /await step\.delay.*\n/, '\n'],
  ['the digest is a minute longer', "amount: 10, unit: 'minutes'", "amount: 11, unit: 'minutes'"],
  ['the digest is a minute shorter', "amount: 10, unit: 'minutes'", "amount: 9, unit: 'minutes'"],
  // In the wrong order
  [
    'the text message comes before the email',
    /( {4}await step\.email\(\n {6}'mail'[\s\S]*?\n {4}\)\n)\n([\s\S]*?\n {4}\}\)\n)/,
    '$2\n$1',
  ],
  ['the comments are turned round', 'lines.join', 'lines.reverse().join'],
  // To the wrong recipient
  [
    'it greets the one who caused it',
    'async ({ step, payload, subscriber })',
    'async ({ step, payload, actor: subscriber = {} as never })',
  ],
  ['replies go elsewhere', "replyTo: 'billing@shop.test'", "replyTo: 'shop@shop.test'"],
  ['it goes out through another pool', "ipPoolName: 'billing'", "ipPoolName: 'news'"],
  ['the sender is another', 'actor?.firstName', 'actor?.lastName'],
  // With the wrong default
  ['the default of a control is another', "default('Thank you.')", "default('Thanks.')"],
  ['the default of a control names another field', 'invoice {{ payload.number }}', 'invoice {{ payload.id }}'],
  ['a control is not used', '<p>$' + '{closing}</p>', '<p>Thank you.</p>'],
  ['the default of the sender is another', "'The blog'", "'Somebody'"],
  // With a negated condition
  ['read ones are reminded', 'skip: () => inbox.read', 'skip: () => !inbox.read'],
  ['small ones are told by text message', 'cents < 10_000', 'cents >= 10_000'],
  ['the limit is one off', 'cents < 10_000', 'cents <= 10_000'],
  ['paid ones are told', 'if (paid || cents', 'if (cents'],
  ['unpaid ones are not told', 'if (paid ||', 'if (!paid ||'],
  ['singular and plural are turned round', 'events.length === 1', 'events.length !== 1'],
  // With the wrong content
  ['cents are shown as euros', 'cents / 100', 'cents'],
  ['the link leads to another invoice', 'invoices/$' + '{payload.number}` }', 'invoices/1` }'],
  [
    'the channel is another',
    /step\.sms\('text', \(\) => \(\{ body/,
    "step.push('text', () => ({ subject: 'Invoice', body",
  ],
  ['names are not escaped', "escapeHtml(subscriber.firstName ?? 'customer')", "subscriber.firstName ?? 'customer'"],
  ['too many comments are counted', '`$' + '{events.length} $' + '{events', '`$' + '{events.length + 1} $' + '{events'],
  // With unnoticed failures
  ['a failed look-up is taken for an invoice of nothing', 'const { paid, cents }', 'const { paid, cents = 0 }'],
  [
    'a refused look-up is taken for a paid invoice',
    '() => lookUp(payload.number)',
    '() => lookUp(payload.number).catch(() => ({ paid: true }))',
  ],
  // Too often, or too rarely
  ['the throttle lets three through', 'threshold: 2', 'threshold: 3'],
  ['the throttle lets one through', 'threshold: 2', 'threshold: 1'],
  [
    'the throttle counts for an hour',
    "type: 'fixed', amount: 1, unit: 'days'",
    "type: 'fixed', amount: 1, unit: 'hours'",
  ],
  ['the throttle counts each post by itself', 'threshold: 2', 'threshold: 2, throttleKey: payload.post'],
  ['there is no throttle', /await step\.throttle.*\n/, '\n'],
  ['the digest has no key', ', digestKey: payload.post', ''],
]

/** Mistakes that have no effect with a run-driven service. */
const listedMistakes: typeof mistakes = [
  ['an id is made of data', "'inbox', () =>", '`inbox-$' + '{payload.number}`, () =>'],
]

const compile = (text: string): typeof right => compileModule(text, { '@trestle/core': core, zod }) as typeof right

/** Runs all tests, and returns the messages of failed ones. */
async function findRed(workflows: typeof right, service?: PlayedService): Promise<readonly string[]> {
  const messages = await Promise.all(
    Object.values(tests).map((run) =>
      run(workflows, service).then(
        () => '',
        (error: Error) => error.message,
      ),
    ),
  )
  return messages.filter((message) => message !== '')
}

describe('correct workflows', () => {
  describe.each(['run-driven', 'listed'] as const)('for a %s service', (service) => {
    test.each(Object.entries(tests))('%s', (_name, run) => run(right, service))
  })

  test('have the same result when compiled like the faulty ones', async () => {
    expect(await findRed(compile(source))).toEqual([])
  })
})

describe('a faulty workflow fails its test, and a matcher says why', () => {
  const findReasons = async (
    from: string | RegExp,
    to: string,
    service?: PlayedService,
  ): Promise<readonly string[]> => {
    const changed = source.replace(from, to)
    expect(changed).not.toBe(source)
    const red = await findRed(compile(changed), service)
    return red.filter((message) => message.startsWith('The run was expected '))
  }

  test.each(mistakes)('%s', async (_name, from, to) => {
    expect(await findReasons(from, to)).not.toEqual([])
  })

  test.each(listedMistakes)('%s, for a service that follows the list', async (_name, from, to) => {
    expect(await findReasons(from, to, 'listed')).not.toEqual([])
  })
})

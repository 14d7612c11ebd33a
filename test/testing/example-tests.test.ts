import { readFileSync } from 'node:fs'
import * as core from '@trestle/core'
import * as testing from '@trestle/testing'
import * as vitest from 'vitest'
import { describe, expect, test } from 'vitest'
import * as zod from 'zod'
import { compileModule } from './wrong-workflows/compile.ts'
import '@trestle/testing/vitest'

const root = new URL('../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')
const workflows = 'examples/workflows/src/index.ts'
const testOf = (name: string): string => `test/examples/${name}.test.ts`

/** Mistakes in the workflows of the examples, by example. */
const mistakes: readonly (readonly [string, string, string | RegExp, string])[] = [
  ['welcome', 'another wait', 'amount: 1', 'amount: 2'],
  ['welcome', 'another greeting', 'Hello ${', 'Dear ${'],
  [
    'welcome',
    'twice',
    "'<p>Nice to have you.</p>' }))",
    "'b' }))\n  await step.email('more', () => ({ subject: `Hello Ada`, body: 'b' }))",
  ],
  ['order-shipped', 'another wait', "{ amount: 1, unit: 'hours' }", "{ amount: 2, unit: 'hours' }"],
  ['order-shipped', 'no wait', /await step\.delay.*\n/, '\n'],
  ['order-shipped', 'another condition', 'inbox.read', '!inbox.read'],
  ['order-shipped', 'another link', 'url: payload.trackingUrl', "url: 'https://post.example.com/1'"],
  ['order-shipped', 'another default', 'Your order {{ payload.orderId }}', 'Order {{ payload.orderId }}'],
  ['order-shipped', 'another quantity', '${item.quantity} x', '1 x'],
  ['order-shipped', 'another recipient', 'subscriber.firstName', 'actor.firstName'],
  ['comment-digest', 'a shorter window', "amount: 10, unit: 'minutes'", "amount: 9, unit: 'minutes'"],
  ['comment-digest', 'a longer window', "amount: 10, unit: 'minutes'", "amount: 11, unit: 'minutes'"],
  ['comment-digest', 'no key', ', digestKey: payload.postId', ''],
  ['comment-digest', 'another count', 'events.size', 'events.first.payload.text'],
  ['comment-digest', 'one comment only', 'events.map', 'events.slice(0, 1).map'],
  ['sign-in-code', 'another default', 'default(5)', 'default(6)'],
  ['sign-in-code', 'another unit', 'payload.minutes * 60', 'payload.minutes'],
  ['sign-in-code', 'another form', '\\d{6}', '.*'],
  [
    'sign-in-code',
    'controls that are not used',
    'body: text',
    'body: `$' + '{payload.code} is your code. It is valid for 5 minutes.`',
  ],
]

type Run = () => Promise<void>

/** Runs the tests of an example, and returns the messages of failed ones. */
async function findRed(name: string, alter: (text: string) => string): Promise<readonly string[]> {
  const own = read(testOf(name))
  const runs = new Map<string, Run>()
  const collecting = { ...vitest, test: (title: string, run: Run) => runs.set(title, run) }
  const modules = { '@trestle/core': core, '@trestle/testing': testing, vitest: collecting, zod }
  const shared = compileModule(own.includes(workflows) ? alter(read(workflows)) : read(workflows), modules)
  const paths = { '../../examples/workflows/src/index.ts': shared, '@trestle/testing/vitest': {} }
  compileModule(own.includes(workflows) ? own : alter(own), { ...modules, ...paths })
  // The snapshot belongs to the example's own file.
  runs.delete('renders the expected content')
  expect(runs.size).toBeGreaterThan(0)
  const messages = await Promise.all(
    [...runs.values()].map((run) =>
      run().then(
        () => '',
        (error: Error) => error.message,
      ),
    ),
  )
  return messages.filter((message) => message !== '')
}

test.each(['welcome', 'order-shipped', 'comment-digest', 'sign-in-code'])('the tests of %s pass', async (name) => {
  expect(await findRed(name, (text) => text)).toEqual([])
})

describe('a faulty example fails its test', () => {
  test.each(mistakes)('%s: %s', async (name, _what, from, to) => {
    const red = await findRed(name, (text) => {
      const changed = text.replace(from, to)
      expect(changed).not.toBe(text)
      return changed
    })
    expect(red).not.toEqual([])
  })
})

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createBridge, workflow } from '@trestle/core'
import { isOfClass, stepTypes } from '@trestle/protocol'
import { testBridge } from '@trestle/testing'
import { expect, test } from 'vitest'
import { sidebar } from '../../packages/docs/.vitepress/sidebar.ts'
import { root } from '../repository.ts'

interface Schema {
  readonly type?: string
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
}

interface Listed {
  readonly stepId: string
  readonly outputs: { readonly schema: Schema }
  readonly results: { readonly schema: Schema }
}

/** A result that the reader cannot use, and the card format, which has its own guide. */
const leftOut = /^card\./

const all = workflow('all', async ({ step }) => {
  await step.email('email', () => ({ subject: 'Hi', body: 'Hi' }))
  await step.sms('sms', () => ({ body: 'Hi' }))
  await step.push('push', () => ({ subject: 'Hi', body: 'Hi' }))
  await step.chat('chat', () => ({ body: 'Hi' }))
  await step.tool('tool', () => ({ body: 'Hi' }))
  await step.inApp('in-app', () => ({ body: 'Hi' }))
  await step.digest('digest', () => ({ amount: 1, unit: 'hours' }))
  await step.delay('delay', () => ({ amount: 1, unit: 'hours' }))
  await step.waitForEvent('wait-for-event', () => ({ event: 'e', timeout: { amount: 1, unit: 'hours' } }))
  await step.trigger('trigger', () => ({ workflow: 'w', to: 'ada' }), { await: true })
  await step.throttle('throttle', () => ({ type: 'fixed', amount: 1, unit: 'hours' }))
})

const fieldsOf = (schema: Schema, prefix = ''): readonly string[] =>
  [schema, ...(schema.oneOf ?? []), ...(schema.items ? [schema.items] : [])].flatMap((one) =>
    Object.entries(one.properties ?? {}).flatMap(([name, field]) => {
      const path = `${prefix}${name}`
      return [path, ...fieldsOf(field, field.type === 'array' ? `${path}[].` : `${path}.`)]
    }),
  )

const bridge = createBridge({ workflows: [all], strictAuthentication: false })
const { workflows } = await (await bridge.fetch(new Request('http://app/?action=discover'))).json()
const steps: readonly Listed[] = workflows[0].steps

/** Steps whose output is up to the app. */
const openSteps = stepTypes.filter((type) => isOfClass(type, 'data'))

test('has a page for each step type, and a link to it', () => {
  const pages = steps.map(({ stepId }) => stepId).concat(openSteps.map((type) => type.replaceAll('_', '-')))
  expect(pages.sort()).toEqual(stepTypes.map((type) => type.replaceAll('_', '-')).sort())
  const links = JSON.stringify(sidebar)
  for (const page of pages) {
    expect(existsSync(join(root, `packages/docs/steps/${page}.md`))).toBe(true)
    expect(links).toContain(`"/steps/${page}"`)
  }
})

test.each(steps.map((step) => [step.stepId, step] as const))(
  'the page of %s lists each field with type, default and limits',
  (id, step) => {
    const page = readFileSync(join(root, `packages/docs/steps/${id}.md`), 'utf8')
    const rows = [...page.matchAll(/^\| `([^`]+)` +\| (.+?) +\| (.*?) +\| (.+?) +\|$/gm)].map(([, name]) => name)
    const fields = [...fieldsOf(step.outputs.schema), ...fieldsOf(step.results.schema)].filter(
      (name) => !leftOut.test(name),
    )
    expect(fields.length).toBeGreaterThan(0)
    expect([...new Set(rows)].sort()).toEqual([...new Set(fields)].sort())
  },
)

const unknown = { 'no such option': true } as never
/** Returns the options that the message of an unknown option lists. */
const optionsIn = (message: string): readonly string[] =>
  /The options are ([\w, ]+)\./.exec(message)?.[1]?.split(', ').sort() ?? [message]

test('the page of step options describes every option', async () => {
  const sample = workflow('sample', async ({ step }) => void (await step.sms('a', () => ({ body: 'Hi' }), unknown)))
  const message = await testBridge({ workflows: [sample] })
    .run(sample, { payload: {} })
    .then(() => '', String)
  const page = readFileSync(join(root, 'packages/docs/steps/options.md'), 'utf8')
  const sections = [...page.matchAll(/^## (\w+)$/gm)].map(([, name]) => name)
  expect(sections.sort()).toEqual(optionsIn(message))
})

test('the page of workflow options describes every option', () => {
  const page = readFileSync(join(root, 'packages/docs/workflow-options.md'), 'utf8')
  const rows = [...page.matchAll(/^\| \[`(\w+)`\]/gm)].map(([, name]) => name)
  let message = ''
  try {
    workflow('sample', async () => undefined, unknown)
  } catch (error) {
    message = String(error)
  }
  expect(rows.sort()).toEqual(optionsIn(message))
})

test.each(['steps/options', 'workflow-options'])('each option of %s has a limit and an example', (name) => {
  const page = readFileSync(join(root, `packages/docs/${name}.md`), 'utf8')
  const sections = page.split(/^## /m).slice(1)
  expect(sections.length).toBeGreaterThan(7)
  const titlesWithout = (part: RegExp): readonly string[] =>
    sections.filter((section) => !part.test(section)).map((section) => section.slice(0, section.indexOf('\n')))
  expect(titlesWithout(/\bLimits?: /)).toEqual([])
  expect(titlesWithout(/^```ts\n/m)).toEqual([])
})

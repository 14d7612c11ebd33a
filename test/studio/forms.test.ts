import { workflow } from '@trestle/core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setUpPages } from './set-up-pages.ts'
import { type Stage, startStage } from './stage.ts'
import { findViolations, type Visit } from './visit.ts'

/** Values that say little about themselves, or something that no field of a form shows. */
const loose = workflow('loose', async ({ step }) => void (await step.inApp('tell', () => ({ body: 'b' }))), {
  payloadSchema: {
    type: 'object',
    properties: {
      anything: { description: 'Whatever it is.' },
      always: true,
      nothing: {},
      open: { type: 'object' },
      pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] },
      list: { type: 'array' },
      fixed: { enum: [{ a: 1 }, { a: 2 }] },
      at: { type: 'string', format: 'time' },
      words: { type: 'array', items: { type: 'string' } },
      marks: { type: 'array', items: { enum: ['x', 'y'] } },
      tree: { $ref: '#/$defs/node' },
      pay: {
        oneOf: [
          { type: 'object', title: 'Card', properties: { type: { const: 'card' }, number: { type: 'string' } } },
          {
            type: 'object',
            title: 'Bank',
            properties: { type: { const: 'bank' }, iban: { type: 'string' } },
            required: ['type', 'iban'],
          },
        ],
      },
    },
    required: ['words', 'pay'],
    $defs: { node: { type: 'object', properties: { text: { type: 'string' }, next: { $ref: '#/$defs/node' } } } },
  } as object,
})

let stage: Stage
const openPage = setUpPages()

beforeAll(async () => {
  stage = await startStage({ more: [loose] })
})
afterAll(() => stage.stop())

async function open(path: string): Promise<Visit> {
  const made = await openPage(stage)
  await made.go(path)
  return made
}

/** The payload of the call that the page shows. */
function payloadOf(page: Page): Promise<unknown> {
  return page
    .locator('main pre')
    .last()
    .textContent()
    .then((text) => JSON.parse(/-d '(.*)'/s.exec(text ?? '')?.[1] ?? '{}').payload)
}

test('what has no form of its own is edited as JSON, and may be left out', async () => {
  const { page, complaints } = await open('/trigger?workflow=loose')
  for (const name of ['anything', 'always', 'nothing', 'open', 'pair', 'list', 'fixed'])
    expect(await page.getByRole('textbox', { name: `${name} as JSON` }).count(), name).toBe(1)
  const anything = page.getByRole('textbox', { name: 'anything as JSON' })
  await anything.fill('{ "a": [1, 2')
  await page.getByText('Not JSON yet').waitFor()
  await anything.fill('{ "a": [1, 2] }')
  await expect.poll(() => payloadOf(page)).toMatchObject({ anything: { a: [1, 2] } })
  expect(await anything.textContent()).toBe('{ "a": [1, 2] }')
  await anything.fill('')
  await expect.poll(() => payloadOf(page)).not.toHaveProperty('anything')
  expect(await page.getByText('Unsupported').count()).toBe(0)
  expect(await findViolations(page)).toEqual([])
  expect(complaints).toEqual([])
})

test('a time keeps its offset', async () => {
  const { page } = await open('/trigger?workflow=loose')
  const at = page.getByLabel('at', { exact: false }).and(page.locator('#payload_at'))
  expect(await at.inputValue()).toBe('09:30:00Z')
  await at.fill('10:15:00+02:00')
  await expect.poll(() => payloadOf(page)).toMatchObject({ at: '10:15:00+02:00' })
  expect(await page.getByText('does not match format').count()).toBe(0)
})

test('another choice tells only what that one needs', async () => {
  const { page } = await open('/trigger?workflow=loose')
  await page.getByLabel('One of').selectOption('Bank')
  await expect.poll(() => payloadOf(page)).toMatchObject({ pay: { type: 'bank' } })
  expect(await page.locator('main [data-invalid] li').allTextContents()).toEqual(['This field is required.'])
  await page.getByLabel('iban').fill('DE12')
  await expect.poll(() => page.locator('main [data-invalid] li').count()).toBe(0)
})

test('a trigger that is refused lists what is wrong, by field', async () => {
  await stage.call('PATCH', '/v2/workflows/loose', { validatePayload: true })
  const { page } = await open('/trigger?workflow=loose')
  await page.getByLabel('One of').selectOption('Bank')
  await page.getByRole('button', { name: 'Trigger', exact: true }).click()
  const refusal = page.getByRole('alert')
  await refusal.getByText('The workflow was not triggered.').waitFor()
  expect(await refusal.getByRole('listitem').allTextContents()).toEqual([expect.stringMatching(/^pay: ./)])
})

test('the keyboard goes on at the list when an item is removed', async () => {
  const { page } = await open('/trigger?workflow=loose')
  const words = page.getByRole('group', { name: 'words' })
  await words.getByRole('button', { name: 'Remove' }).focus()
  await page.keyboard.press('Enter')
  await expect
    .poll(() => words.getByRole('button', { name: 'Add' }).evaluate((it) => it === document.activeElement))
    .toBe(true)
})

test('the page of a workflow shows every field of its schema', async () => {
  const { page, complaints } = await open('/workflows/loose')
  expect(await page.locator('h1').textContent()).toBe('loose')
  const typeOf = (field: string) => page.locator(`tr:has(td:first-child code:text-is("${field}")) td:nth-child(2)`)
  const types = { always: 'any', marks: '("x" | "y")[]', pay: 'Card | Bank', tree: 'node', 'tree.next': 'node' }
  for (const [field, type] of Object.entries(types)) expect(await typeOf(field).textContent(), field).toBe(type)
  expect(await typeOf('tree.next.text').count()).toBe(0)
  expect(complaints).toEqual([])
})

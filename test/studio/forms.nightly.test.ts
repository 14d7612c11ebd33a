import { workflow } from '@trestle/core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setUpPages } from './set-up-pages.ts'
import { type Stage, startStage } from './stage.ts'
import { findViolations, type Visit } from './visit.ts'

/** Values without a clear schema, or with rules that no form field shows. */
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
      scalar: { type: ['string', 'number', 'boolean'], default: 'a' },
      either: { oneOf: [{ type: 'boolean' }, { type: 'number' }, { type: 'null' }] },
      note: { type: ['string', 'null'], default: 'n' },
      flag: { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
      box: { type: ['object', 'null'], properties: { size: { type: 'number' } }, additionalProperties: false },
      ways: { type: 'array', uniqueItems: true, items: { enum: ['sms', 'email'], default: 'sms' } },
      few: { type: 'array', maxItems: 2, items: { $ref: '#/$defs/line' } },
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
    $defs: {
      line: {
        type: 'object',
        properties: {
          amount: { type: 'number', default: 3 },
          tags: { type: 'array', items: { type: 'string', default: 't' } },
        },
      },
      node: { type: 'object', properties: { text: { type: 'string' }, next: { $ref: '#/$defs/node' } } },
    },
  } as object,
})

let stage: Stage
const openPage = setUpPages()

beforeAll(async () => {
  stage = await startStage({ more: [loose] })
})
afterAll(() => stage.stop())

async function open(path: string): Promise<Visit> {
  const visit = await openPage(stage)
  await visit.go(path)
  return visit
}

/** The payload of the displayed call. */
function payloadOf(page: Page): Promise<unknown> {
  return page
    .locator('main pre')
    .last()
    .textContent()
    .then((text) => JSON.parse(/-d '(.*)'/s.exec(text ?? '')?.[1] ?? '{}').payload)
}

test('edits values without a form field as JSON, or omits them', async () => {
  const { page, complaints } = await open('/trigger?workflow=loose')
  for (const name of ['anything', 'always', 'nothing', 'open', 'pair', 'list', 'fixed'])
    expect(await page.getByRole('textbox', { name: `${name} as JSON` }).count(), name).toBe(1)
  const anything = page.getByRole('textbox', { name: 'anything as JSON' })
  await anything.fill('{ "a": [1, 2')
  await page.getByText('Invalid JSON').waitFor()
  // The value is that of the text before, so it is not sent.
  const trigger = page.getByRole('button', { name: 'Trigger', exact: true })
  expect(await trigger.getAttribute('aria-description')).toBe('Correct the invalid JSON first')
  expect(await trigger.isDisabled()).toBe(true)
  await anything.fill('{ "a": [1, 2] }')
  await expect.poll(() => payloadOf(page)).toMatchObject({ anything: { a: [1, 2] } })
  expect(await anything.textContent()).toBe('{ "a": [1, 2] }')
  await anything.fill('')
  await expect.poll(() => payloadOf(page)).not.toHaveProperty('anything')
  expect(await page.getByText('Unsupported').count()).toBe(0)
  expect(await findViolations(page)).toEqual([])
  expect(complaints).toEqual([])
})

test('keeps the offset of a time', async () => {
  const { page } = await open('/trigger?workflow=loose')
  const at = page.getByLabel('at', { exact: false }).and(page.locator('#payload_at'))
  expect(await at.inputValue()).toBe('09:30:00Z')
  await at.fill('10:15:00+02:00')
  await expect.poll(() => payloadOf(page)).toMatchObject({ at: '10:15:00+02:00' })
  expect(await page.getByText('does not match format').count()).toBe(0)
})

test('shows only the fields of the selected choice', async () => {
  const { page } = await open('/trigger?workflow=loose')
  await page.getByLabel('One of the types of pay').selectOption('Bank')
  await expect.poll(() => payloadOf(page)).toMatchObject({ pay: { type: 'bank' } })
  expect(await page.locator('main [data-invalid] li').allTextContents()).toEqual(['This field is required.'])
  await page.getByLabel('iban').fill('DE12')
  await expect.poll(() => page.locator('main [data-invalid] li').count()).toBe(0)
})

test('lists the errors of a rejected trigger by field', async () => {
  await stage.call('PATCH', '/v2/workflows/loose', { validatePayload: true })
  const { page } = await open('/trigger?workflow=loose')
  await page.getByLabel('One of the types of pay').selectOption('Bank')
  const trigger = page.getByRole('button', { name: 'Trigger', exact: true })
  // Only JSON can be sent although the form found an error.
  await expect.poll(() => trigger.isDisabled()).toBe(true)
  await page.getByRole('group', { name: 'Edit the payload as' }).getByRole('button', { name: 'JSON' }).click()
  await page
    .getByRole('listitem')
    .filter({ hasText: /^Line \d+, column 3: This field is required\.$/ })
    .waitFor()
  await trigger.click()
  const refusal = page.getByRole('alert')
  await refusal.getByText("Couldn't trigger the workflow").waitFor()
  expect(await refusal.getByRole('listitem').allTextContents()).toEqual(['pay.iban: is required'])
})

test('the keyboard focus returns to the list when an item is removed', async () => {
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

test('offers each type of a field that has several, and sets a nullable field to null when it is emptied', async () => {
  const { page, complaints } = await open('/trigger?workflow=loose')
  const scalar = page.locator('#payload_scalar')
  const kinds = page.getByLabel('One of the types of scalar')
  expect(await kinds.locator('option').allTextContents()).toEqual(['Yes or no', 'Number', 'Text'])
  await scalar.fill('7')
  await expect.poll(() => payloadOf(page)).toMatchObject({ scalar: '7' })
  await kinds.selectOption('Number')
  await scalar.fill('7')
  await expect.poll(() => payloadOf(page)).toMatchObject({ scalar: 7 })
  await kinds.selectOption('Yes or no')
  await page.locator('#payload_scalar[type=checkbox]').check()
  await expect.poll(() => payloadOf(page)).toMatchObject({ scalar: true })
  const either = page.locator('#payload_either__oneof_select')
  expect(await either.locator('option').allTextContents()).toEqual(['Yes or no', 'Number', 'Nothing (null)'])
  await either.selectOption('Nothing (null)')
  await expect.poll(() => payloadOf(page)).toMatchObject({ either: null })
  await page.locator('#payload_note').fill('')
  await expect.poll(() => payloadOf(page)).toMatchObject({ note: null })
  expect(await page.locator('#payload_note').getAttribute('placeholder')).toBe('null')
  await page.locator('#payload_flag').selectOption('Yes')
  await expect.poll(() => payloadOf(page)).toMatchObject({ flag: true })
  await page.locator('#payload_flag').selectOption('Nothing (null)')
  await expect.poll(() => payloadOf(page)).toMatchObject({ flag: null })
  const box = page.getByLabel('One of the types of box')
  await box.selectOption('Nothing (null)')
  await expect.poll(() => payloadOf(page)).toMatchObject({ box: null })
  await box.selectOption('Object')
  await page.locator('#payload_box_size').fill('3')
  await expect.poll(() => payloadOf(page)).toMatchObject({ box: { size: 3 } })
  expect(await page.getByText('nsupported').count()).toBe(0)
  // No item is added here, so its default does not apply.
  const ways = page.locator('select#payload_ways')
  await ways.selectOption([])
  await ways.selectOption(['email'])
  await expect.poll(() => payloadOf(page)).toMatchObject({ ways: ['email'] })
  expect(await findViolations(page)).toEqual([])
  expect(complaints).toEqual([])
})

test('starts a new item with its defaults, and names the buttons of each list and item', async () => {
  const { page } = await open('/trigger?workflow=loose')
  const few = page.getByRole('group', { name: 'few', exact: true })
  const focused = () =>
    page.evaluate(() => {
      const { activeElement: at } = document
      return at?.getAttribute('aria-label') ?? at?.querySelector('legend')?.textContent
    })
  const remove = (name: string) => page.getByRole('button', { name: `Remove ${name}`, exact: true })
  const add = (name: string) => page.getByRole('button', { name: `Add to ${name}`, exact: true })
  // The sample contains none.
  while ((await remove('few 1').count()) > 0) await remove('few 1').click()
  await expect.poll(() => payloadOf(page)).toMatchObject({ few: [] })
  await add('few').focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => payloadOf(page)).toMatchObject({ few: [{ amount: 3 }] })
  expect(await focused()).toBe('Add to few')
  await page.keyboard.press('Enter')
  await expect.poll(() => payloadOf(page)).toMatchObject({ few: [{ amount: 3 }, { amount: 3 }] })
  // The schema allows only two items.
  await expect.poll(() => add('few').count()).toBe(0)
  await expect.poll(focused).toBe('few')
  await add('tags of few 2').click()
  await expect.poll(() => payloadOf(page)).toMatchObject({ few: [{ amount: 3 }, { amount: 3, tags: ['t'] }] })
  const names = await few.getByRole('button').evaluateAll((all) => all.map((it) => it.getAttribute('aria-label')))
  expect(new Set(names).size).toBe(names.length)
  await remove('few 2').focus()
  await page.keyboard.press('Enter')
  await expect.poll(focused).toBe('Add to few')
})

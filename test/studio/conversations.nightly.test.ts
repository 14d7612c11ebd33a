import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { gate } from './agents.ts'
import { setUpPages } from './set-up-pages.ts'
import { type Stage, startStage } from './stage.ts'
import { findViolations, keepPicture, type Look, phone } from './visit.ts'

const openPage = setUpPages()
let stage: Stage

beforeAll(async () => {
  stage = await startStage()
  await stage.call('POST', '/v2/subscribers', { subscriberId: 'ada', firstName: 'Ada', lastName: 'Lovelace' })
})
afterAll(async () => {
  gate.open()
  await stage.stop()
})

async function begin(body: object = {}): Promise<string> {
  const { data } = (await stage.call('POST', '/v1/studio/conversations', { agentId: 'concierge', ...body })) as {
    data: { _id: string }
  }
  return data._id
}

// biome-ignore lint/suspicious/noExplicitAny: a test knows what it asked for
async function read(id: string): Promise<any> {
  return ((await stage.call('GET', `/v1/studio/conversations/${id}`)) as { data: unknown }).data
}

/** Opens a new conversation, and returns its actions for the test. */
async function talk(look: Look = {}) {
  const id = await begin()
  const studio = await openPage(stage, look)
  const { page } = studio
  await studio.go(`/agents/concierge/conversations/${id}`)
  const log = page.getByRole('log', { name: 'Messages' })
  const say = async (text: string): Promise<void> => {
    await page.getByRole('textbox', { name: 'Message' }).fill(text)
    await page.keyboard.press('Enter')
    await log.getByText(text, { exact: true }).first().waitFor()
  }
  const heard = (text: string | RegExp) => log.locator('[data-role=agent]').getByText(text)
  return { ...studio, id, log, say, heard }
}

test('lists agents with their conversations, and starts one as a subscriber', async () => {
  const studio = await openPage(stage)
  const { page } = studio
  await studio.go('/')
  await page.getByRole('link', { name: 'Agents', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor()
  await page.getByRole('link', { name: 'quiet' }).waitFor()
  await page.getByRole('button', { name: 'New conversation with concierge' }).click()
  const dialog = page.getByRole('dialog')
  const field = dialog.getByRole('combobox', { name: 'Subscriber' })
  await field.fill('unknown')
  await page.keyboard.press('Enter')
  await dialog.getByRole('alert').waitFor()
  await field.fill('ada')
  await dialog.getByRole('option', { name: 'ada' }).click()
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'New conversation' }).waitFor()
  await page.getByRole('textbox', { name: 'Message' }).fill('Good morning')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('You said: Good morning').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Good morning' }).waitFor()
  // The agent's metadata, the user, and the events to the bridge.
  await page.getByRole('region', { name: 'the metadata' }).getByText('"lastWord": "Good"').waitFor()
  await page.getByRole('link', { name: 'ada', exact: true }).waitFor()
  await page
    .getByRole('list', { name: /^Events/ })
    .getByText('onMessage')
    .waitFor()
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'concierge' }).click()
  const row = page.getByRole('row', { name: /Good morning/ })
  await row.getByText('Open').waitFor()
  expect(await row.getByRole('link', { name: 'ada' }).getAttribute('href')).toBe(
    '/studio/env/Development/subscribers/ada',
  )
  await page.getByRole('button', { name: 'Resolved' }).click()
  await page.getByText('No resolved conversations').waitFor()
  // The browser's only error is the rejected subscriber.
  expect(studio.complaints.filter((line) => !line.includes('404'))).toEqual([])
})

test('shows Markdown without its HTML, and neither runs nor fetches anything in it', async () => {
  const { page, say, log, complaints } = await talk()
  await say('markdown')
  await log.locator('em', { hasText: 'on its way' }).waitFor()
  expect(await log.locator('strong', { hasText: '7' }).count()).toBe(1)
  expect(await log.locator('em', { hasText: 'on its way' }).count()).toBe(1)
  expect(await log.locator('del', { hasText: 'not lost' }).count()).toBe(1)
  expect(await log.locator('li li', { hasText: 'packed' }).count()).toBe(1)
  expect(await log.getByRole('table').getByRole('cell', { name: '2 h' }).count()).toBe(1)
  expect(await log.locator('pre', { hasText: 'track(7)' }).count()).toBe(1)
  expect(await log.locator('blockquote', { hasText: 'Thank you' }).count()).toBe(1)
  const link = log.getByRole('link', { name: 'the map' })
  expect([await link.getAttribute('href'), await link.getAttribute('rel')]).toEqual([
    'https://example.com/map',
    'noreferrer noopener',
  ])
  // Shown as text, or not at all.
  await log.getByText('& <b>this</b>').waitFor()
  await log.getByText('<img src=x onerror=').waitFor()
  expect(await log.locator('b, img, script').count()).toBe(0)
  expect(await log.getByRole('link', { name: 'a trap' }).count()).toBe(0)
  await log.getByText('a trap').click()
  expect(await page.title()).toBe('markdown · Trestle studio')
  expect(complaints).toEqual([])
})

test('shows a card with working buttons and lists, and fetches its image on request', async () => {
  const { page, say, log, heard, complaints } = await talk()
  await say('card')
  await log.getByText('Order 7', { exact: true }).waitFor()
  for (const text of ['Two lamps', 'Carrier', 'Post', 'Anything else?']) await log.getByText(text).first().waitFor()
  expect(await log.getByRole('link', { name: 'Open the order' }).getAttribute('target')).toBe('_blank')
  await log.getByRole('button', { name: 'Send it again' }).click()
  await heard('Clicked again: "7"').waitFor()
  await log.getByRole('combobox', { name: 'Topic' }).selectOption('payment')
  await heard('Clicked topic: "payment"').waitFor()
  expect(complaints).toEqual([])
  await log.getByRole('button', { name: 'Load image' }).click()
  await expect.poll(() => complaints.join()).toContain('https://example.com/lamp.png')
  await page.getByText("Couldn't load").waitFor()
})

test('answers questions with text, a choice, or an approval with a note', async () => {
  const { id, say, log, heard, complaints } = await talk()
  await say('name')
  await log.getByRole('textbox', { name: 'Answer to: What is your name?' }).fill('Grace')
  await log.getByRole('button', { name: 'Answer' }).click()
  await heard('Hello Grace').waitFor()
  await say('day')
  await log.getByRole('button', { name: 'Tuesday' }).click()
  await heard('See you on tue').waitFor()
  expect(await log.getByRole('button', { name: 'Monday' }).count()).toBe(0)
  await say('refund')
  await log.getByRole('textbox', { name: 'A note on: Refund order 7?' }).fill('It was broken')
  await log.getByRole('button', { name: 'Keep it' }).click()
  await heard('Kept: It was broken').waitFor()
  const { questions } = await read(id)
  expect(questions.map((question: { answer: object }) => question.answer)).toMatchObject([
    { type: 'text', text: 'Grace' },
    { type: 'choice', choice: 'tue' },
    { type: 'approval', approved: false, note: 'It was broken' },
  ])
  await log.getByRole('group', { name: 'Which day suits you?' }).getByText('Tuesday').waitFor()
  expect(complaints).toEqual([])
})

test('shows typing, reactions, edits, deletions and failures live', async () => {
  const { page, say, log, heard, complaints } = await talk()
  gate.passed = new Promise((resolve) => {
    gate.open = resolve
  })
  await say('wait')
  await log.getByText('The agent is typing').waitFor()
  gate.open()
  await heard('Done waiting.').waitFor()
  await expect.poll(() => log.getByText('The agent is typing').count()).toBe(0)

  await say('typo')
  await heard('Hello').waitFor()
  await log.getByText('edited').waitFor()
  await log.getByText('This message was deleted.').waitFor()
  expect(await log.getByText('Oops').count()).toBe(0)

  await say('hi')
  const mine = log.getByRole('listitem').filter({ hasText: /^Person.*hi/ })
  await mine.getByRole('button', { name: 'eyes, 1' }).waitFor()
  const last = log.getByRole('listitem').filter({ hasText: 'You said: hi' })
  await last.hover()
  await last.getByRole('button', { name: 'React', exact: true }).click()
  await last.getByRole('button', { name: 'React with tada' }).click()
  await heard('Got tada').waitFor()
  const tada = last.getByRole('button', { name: 'tada, 1', pressed: true })
  await tada.click()
  await heard('Lost tada').waitFor()
  await expect.poll(() => last.getByRole('button', { name: 'tada, 1' }).count()).toBe(0)

  await say('fail')
  const failure = log.locator('[data-role=system]')
  await failure.getByText('TurnFailed').waitFor()
  expect(await failure.getByText('as asked').count()).toBe(0)
  expect(await findViolations(page)).toEqual([])
  expect(complaints).toEqual([])
})

test('saves files unchanged, and links to files on other hosts', async () => {
  const { page, say, log, complaints } = await talk()
  await say('file')
  const save = log.getByRole('button', { name: 'Save note.txt' })
  const [saved] = await Promise.all([page.waitForEvent('download'), save.click()])
  expect(saved.suggestedFilename()).toBe('note.txt')
  expect(await readFile(await saved.path(), 'utf8')).toBe('Hello from a file')
  expect(await log.getByRole('link', { name: 'terms.pdf' }).getAttribute('href')).toBe('https://example.com/terms.pdf')
  expect(complaints).toEqual([])
})

test('a conversation is resolved by the agent or a user, and reopened by a new message', async () => {
  const { id, page, say, log } = await talk()
  await say('bye')
  await page.getByText('Resolved: They said goodbye').waitFor()
  expect(await page.getByRole('button', { name: 'Resolve' }).count()).toBe(0)
  await say('hello again')
  await log.getByText('You said: hello again').waitFor()
  await page.getByRole('button', { name: 'Resolve' }).click()
  await expect.poll(async () => (await read(id)).status).toBe('resolved')
  await expect.poll(() => page.getByRole('button', { name: 'Resolve' }).count()).toBe(0)
})

test('shows changes from elsewhere immediately, without a reload', async () => {
  const { id, page, log } = await talk()
  await stage.call('POST', `/v1/studio/conversations/${id}/messages`, { text: 'from another window' })
  await log.getByText('from another window', { exact: true }).waitFor()
  await log.getByText('You said: from another window').waitFor()
  await page.getByText('Delivered').first().waitFor()
})

test('shows an event that does not reach the bridge, and the reason if it is rejected', async (context) => {
  // Its bridge replies only to another URL, so it rejects every event.
  const refusing = await startStage({ apiUrl: 'http://127.0.0.1:1' })
  context.onTestFinished(() => refusing.stop())
  const { data } = (await refusing.call('POST', '/v1/studio/conversations', { agentId: 'concierge' })) as {
    data: { _id: string }
  }
  const { page, go } = await openPage(refusing)
  await go(`/agents/concierge/conversations/${data._id}`)
  const write = async (text: string) => {
    await page.getByRole('textbox', { name: 'Message' }).fill(text)
    await page.keyboard.press('Enter')
    return page.getByRole('log').getByRole('listitem').filter({ hasText: text })
  }
  const refused = await write('may I?')
  await refused.getByText('Not delivered').waitFor()
  await refused.getByRole('link', { name: 'RequestBodyInvalidError' }).waitFor()
  await page
    .getByRole('list', { name: /^Events/ })
    .getByText(/replyUrl/)
    .waitFor()
  expect(await findViolations(page)).toEqual([])
  const faults = page.locator('[role=log] [data-role=system]')
  expect(await faults.count()).toBe(1)
  await page.getByRole('button', { name: 'Send again' }).click()
  await expect.poll(() => faults.count()).toBe(2)
  await refusing.stopApp()
  await (await write('anybody there?')).getByText('On its way').waitFor()
})

test('writing, answering and clicking work by keyboard, and Shift+Enter starts a new line', async () => {
  const { page, log, heard } = await talk()
  const tabTo = async (name: string): Promise<void> => {
    for (let press = 0; press < 60; press++) {
      await page.keyboard.press('Tab')
      const focusedName = await page.evaluate(() => {
        const { activeElement: active } = document
        const label =
          active instanceof HTMLInputElement || active instanceof HTMLTextAreaElement ? active.labels?.[0] : active
        return active?.getAttribute('aria-label') ?? label?.textContent ?? ''
      })
      if (focusedName === name) return
    }
    throw new Error(`The keyboard does not reach "${name}".`)
  }
  await tabTo('Message')
  await page.keyboard.type('refund')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('please')
  expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('refund\nplease')
  await page.keyboard.press('Enter')
  await log.getByRole('button', { name: 'Refund' }).waitFor()
  await page.locator('#main').focus()
  await tabTo('Refund')
  await page.keyboard.press('Enter')
  await heard('Refunded: no note').waitFor()
})

/** Creates a conversation with every kind of content. */
async function fill(): Promise<string> {
  const id = await begin({ subscriberId: 'ada' })
  const path = `/v1/studio/conversations/${id}/messages`
  const count = async (): Promise<number> => (await read(id)).messages.length
  for (const text of ['markdown', 'card', 'name', 'day', 'refund', 'file', 'typo', 'hi', 'fail']) {
    const before = await count()
    await stage.call('POST', path, { text })
    await expect.poll(count).toBeGreaterThan(before + 1)
  }
  await expect.poll(async () => (await read(id)).messages.at(-1).role).toBe('system')
  return id
}

test('axe finds no violation in any theme, and nothing is wider than a phone screen', async () => {
  const id = await fill()
  const paths = ['/agents', '/agents/concierge', '/agents/not-there', `/agents/concierge/conversations/${id}`]
  paths.push('/agents/concierge/conversations/not-there')
  const looks: readonly (readonly [string, Look])[] = [
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['phone', phone],
  ]
  for (const [name, look] of looks) {
    const { page, go } = await openPage(stage, look)
    for (const path of paths) {
      await go(path)
      await keepPicture(page, `${name} ${path.replace(id, 'full')}`)
      expect(await findViolations(page), `${name} ${path}`).toEqual([])
      expect(await widthOf(page), `${name} ${path}`).toBeLessThanOrEqual(look.width ?? 1440)
    }
  }
})

async function widthOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth)
}

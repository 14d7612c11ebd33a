import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Path, paths } from '../../packages/studio/src/app/paths.ts'
import { findUnreachable } from './keyboard-walk.ts'
import { storeResources } from './resources.ts'
import { setUpPages } from './set-up-pages.ts'
import { type Stage, startStage } from './stage.ts'
import { findViolations, keepPicture, type Look, phone, settle, type Visit } from './visit.ts'

// Every page of the studio: axe, keyboard, width and errors. The route table says which pages there are.

const openPage = setUpPages()
let stage: Stage
/** Creates the first admin; empty once it was used. */
let adminLink = ''
let examples: Readonly<Record<Path, readonly Example[]>>

/** A page to visit, and the heading that it shows. */
type Example = readonly [path: string, heading: string]

interface Found {
  readonly data: readonly { readonly _id: string; readonly identifier?: string }[]
}

const read = async (path: string): Promise<Found> => (await stage.call('GET', path)) as Found
const idOf = async (path: string): Promise<string> => (await read(path)).data[0]?._id ?? ''

/** Stores something for each page. */
async function fill(): Promise<string> {
  const ada = {
    subscriberId: 'ada',
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.com',
    phone: '+4930123',
  }
  await stage.call('POST', '/v2/subscribers', ada)
  await stage.call('POST', '/v2/topics', { key: 'on-call', name: 'On call' })
  await stage.call('POST', '/v2/topics/on-call/subscriptions', { subscriptions: ['ada'] })
  await stage.call('POST', '/v1/domains', { name: 'in.test' })
  const me = (await stage.call('GET', '/v1/environments/me')) as { readonly data: { readonly _id: string } }
  const values = [{ _environmentId: me.data._id, value: 'x' }]
  await stage.call('POST', '/v1/environment-variables', { key: 'API_TOKEN', isSecret: true, values })
  const payload = { service: 'checkout', summary: 'Payments fail.', since: '09:30', severity: 'high' }
  await stage.call('POST', '/v1/events/trigger', { name: 'incident-opened', to: 'ada', payload })
  await stage.call('POST', '/v1/events/trigger', { name: 'welcome', to: 'ada' })
  const exists = (path: string) => async (): Promise<boolean> => (await read(path)).data.length > 0
  for (const path of ['/v1/studio/runs?status=failed', '/v1/studio/outbox?recipient=ada@example.com'])
    await vi.waitUntil(exists(path), { timeout: 60_000 })
  // Once there is an integration, the outbox keeps no mail.
  await storeResources(stage)
  const talk = { agentId: 'concierge', subscriberId: 'ada' }
  const { data } = (await stage.call('POST', '/v1/studio/conversations', talk)) as { data: { _id: string } }
  // More than fit on a screen.
  for (const text of ['card', 'markdown', 'name', 'day', 'refund', 'hi', 'typo'])
    await stage.call('POST', `/v1/studio/conversations/${data._id}/messages`, { text })
  return data._id
}

beforeAll(async () => {
  stage = await startStage({ accounts: true })
  adminLink = stage.firstAdminLink ?? ''
  const conversation = await fill()
  const [run, failed, mail, integration, endpoint] = await Promise.all([
    idOf('/v1/studio/runs?workflowId=incident-opened'),
    idOf('/v1/studio/runs?status=failed'),
    idOf('/v1/studio/outbox?recipient=ada@example.com'),
    read('/v1/integrations').then(({ data }) => data.find(({ identifier }) => identifier === 'shop')?._id),
    idOf('/v1/webhook-endpoints'),
  ])
  const incident = '/workflows/incident-opened'
  examples = {
    '/': [['/', 'Overview']],
    '/workflows': [
      ['/workflows', 'Workflows'],
      ['/workflows?tag=orders', 'Workflows'],
      ['/workflows?q=nothing-like-it', 'Workflows'],
    ],
    '/workflows/:workflowId': [
      [incident, 'Incident opened'],
      ['/workflows/welcome', 'Welcome'],
      ['/workflows/stored-order', 'Stored order'],
      ['/workflows/not-there', 'not-there'],
    ],
    '/workflows/:workflowId/steps/:stepId': [
      ...['inbox', 'text', 'phone', 'channel', 'report', 'cool-down', 'score'].map(
        (step): Example => [`${incident}/steps/${step}`, step],
      ),
      ['/workflows/comment-digest/steps/collect', 'collect'],
      ['/workflows/welcome/steps/mail', 'mail'],
      ['/workflows/stored-order/steps/mail', 'mail'],
      ['/workflows/welcome/steps/not-there', 'not-there'],
    ],
    '/trigger': [
      ['/trigger?workflow=order-shipped', 'Trigger'],
      ['/trigger?topic=on-call', 'Trigger'],
    ],
    '/runs': [
      ['/runs', 'Runs'],
      ['/runs?search=unknown', 'Runs'],
    ],
    '/runs/:runId': [
      [`/runs/${run}?step=inbox`, 'Incident opened'],
      [`/runs/${failed}`, 'Welcome'],
      ['/runs/000000000000000000000000', 'Run'],
    ],
    '/agents': [['/agents', 'Agents']],
    '/agents/:agentId': [
      ['/agents/concierge', 'concierge'],
      ['/agents/not-there', 'not-there'],
    ],
    '/agents/:agentId/conversations/:conversationId': [
      [`/agents/concierge/conversations/${conversation}`, 'card'],
      ['/agents/concierge/conversations/not-there', 'Conversation'],
    ],
    '/errors': [['/errors', 'Error codes']],
    '/errors/:code': [['/errors/StepExecutionFailedError', 'StepExecutionFailedError']],
    '/outbox/:outboxId?': [
      ['/outbox', 'Outbox'],
      [`/outbox/${mail}`, 'Outbox'],
    ],
    '/subscribers': [['/subscribers', 'Subscribers']],
    '/subscribers/:subscriberId': ['', '?tab=preferences', '?tab=messages', '?tab=profile', '?tab=topics'].map(
      (tab): Example => [`/subscribers/ada${tab}`, 'Ada Lovelace'],
    ),
    '/topics': [['/topics', 'Topics']],
    '/topics/:topicKey': [['/topics/on-call', 'On call']],
    '/domains': [['/domains', 'Inbound email']],
    '/domains/:domain': [['/domains/in.test', 'in.test']],
    '/integrations': [['/integrations', 'Integrations']],
    '/integrations/new': [
      ['/integrations/new', 'New integration'],
      ['/integrations/new?provider=apns', 'New Apple Push Notifications integration'],
    ],
    '/integrations/:integrationId': [[`/integrations/${integration}`, 'Shop mail']],
    '/webhooks': [['/webhooks', 'Webhooks']],
    '/webhooks/:endpointId': [[`/webhooks/${endpoint}`, 'http://127.0.0.1:9/events']],
    '/layouts': [['/layouts', 'Layouts']],
    '/layouts/:layoutId': [['/layouts/shop', 'Shop']],
    '/translations': [['/translations', 'Translations']],
    '/translations/:resourceType/:resourceId': [['/translations/layout/shop?locale=de_DE', 'Shop']],
    '/connections': [['/connections', 'Connections']],
    '/connections/:identifier': [['/connections/acme-slack', 'Acme']],
    '/addresses': [['/addresses', 'Addresses']],
    '/addresses/:identifier': [['/addresses/ada-slack', 'Slack user']],
    '/tenants': [['/tenants', 'Tenants']],
    '/tenants/:identifier': [
      ['/tenants/acme', 'Acme'],
      ['/tenants/none', 'none'],
    ],
    '/contexts': [['/contexts', 'Contexts']],
    '/contexts/:type/:id': [['/contexts/project/apollo', 'project:apollo']],
    '/environments': [['/environments', 'Environments']],
    '/environment-variables': [['/environment-variables', 'Variables']],
    '/people': [['/people', 'People']],
    '/audit': [['/audit', 'Audit log']],
    '/account': [['/account', 'Your account']],
    '*': [['/no/such/page', 'Not found']],
  }
})
afterAll(() => stage.stop())

/** Opens the studio as an admin. The first call creates the admin. */
async function signIn(): Promise<Visit> {
  const visit = await openPage(stage)
  const { page } = visit
  const password = 'correct horse battery'
  const isFirst = adminLink !== ''
  await page.goto(isFirst ? adminLink : `${stage.url}/studio/`)
  adminLink = ''
  await page.getByLabel('Email').fill('ada@example.com')
  if (isFirst) {
    await page.getByLabel('Name').fill('Ada Lovelace')
    await page.getByLabel('Password again').fill(password)
  }
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: isFirst ? 'Create the account' : 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  return visit
}

const looks: Readonly<Record<string, Look>> = {
  light: { width: 1440, height: 900 },
  phone,
  'phone in the dark': { ...phone, colorScheme: 'dark' },
  dark: { width: 1280, height: 720, colorScheme: 'dark' },
}

/** Lists elements that are wider than the window and do not scroll within a container, and the empty end of a page. */
function listOverflowing(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { clientWidth, scrollWidth, clientHeight, scrollHeight } = document.documentElement
    const { bottom = 0 } = document.querySelector('main')?.getBoundingClientRect() ?? {}
    const end = Math.max(bottom + scrollY, clientHeight)
    if (scrollHeight > end + 1) return [`${scrollHeight - end} px are empty below the page`]
    if (scrollWidth <= clientWidth) return []
    const wide = [...document.querySelectorAll('main *')].filter(
      (one) => one.getBoundingClientRect().right > clientWidth + 1,
    )
    return [`${scrollWidth} > ${clientWidth}`, ...wide.slice(0, 3).map((one) => one.outerHTML.slice(0, 120))]
  })
}

/** Visits each example, and collects the faults of all pages. */
async function walk(check: (visit: Visit, path: string) => Promise<readonly string[]>): Promise<readonly string[]> {
  const visit = await signIn()
  const faults: string[] = []
  for (const [path, heading] of Object.values(examples).flat()) {
    await visit.go(path)
    const shown = await visit.page.locator('h1').textContent()
    if (shown !== heading) faults.push(`${path}: the heading is ${shown}`)
    for (const fault of await check(visit, path)) faults.push(`${path}: ${fault}`)
  }
  return faults
}

test('there is an example of each page', () => {
  expect(Object.keys(examples)).toEqual(paths)
  for (const [path, all] of Object.entries(examples)) expect([path, all.length > 0]).toEqual([path, true])
})

test('no page has a violation for axe, is wider than the window, or logs an error', async () => {
  let seen = 0
  const faults = await walk(async ({ page, complaints }, path) => {
    const found: string[] = []
    for (const [name, { width = 0, height = 0, colorScheme = 'light' }] of Object.entries(looks)) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height })
      await settle(page)
      await keepPicture(page, `${name} ${path}`)
      for (const fault of [...(await findViolations(page)), ...(await listOverflowing(page))])
        found.push(`${name}: ${fault}`)
    }
    // The next page is loaded as the first look.
    await page.emulateMedia({ colorScheme: 'light' })
    // The browser reports resources that do not exist.
    const unexpected = complaints.slice(seen).filter((line) => !line.includes('status of 404'))
    seen = complaints.length
    return [...found, ...unexpected]
  })
  expect(faults).toEqual([])
})

test('each control of each page can be reached with Tab, and shows the focus', async () => {
  expect(await walk(({ page }) => findUnreachable(page))).toEqual([])
})

test('finds controls that the keyboard cannot use', async () => {
  const { page, go } = await signIn()
  await go('/topics')
  await page.evaluate(() => {
    const faulty = `<span role="button">Click</span><button style="outline: none">Unmarked</button>
      <button>Trap</button><button>Behind</button>`
    document.querySelector('main')?.insertAdjacentHTML('beforeend', faulty)
    // The policy of the page forbids handlers in attributes.
    document.querySelector('main > :nth-last-child(2)')?.addEventListener('keydown', (event) => event.preventDefault())
  })
  const faults = (await findUnreachable(page)).map((line) => line.replace(/<.*>(\w+)<.*/, '$1'))
  expect(faults).toEqual(['not reached: Behind', 'not focusable: Click', 'focus not visible: Unmarked'])
})

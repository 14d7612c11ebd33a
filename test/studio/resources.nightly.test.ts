import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storeResources } from './resources.ts'
import { setUpPages } from './set-up-pages.ts'
import { type Stage, startStage } from './stage.ts'
import { findViolations, keepPicture } from './visit.ts'

let stage: Stage
const openPage = setUpPages()

beforeAll(async () => {
  stage = await startStage()
  await storeResources(stage)
})
afterAll(() => stage.stop())

interface Listed {
  readonly data: readonly { readonly _id: string; readonly identifier: string }[]
}

async function integrationId(identifier: string): Promise<string> {
  const { data } = (await stage.call('GET', '/v1/integrations')) as Listed
  return data.find((one) => one.identifier === identifier)?._id ?? ''
}

test('an integration is added by its provider, tested, made primary and deleted', async ({ onTestFinished }) => {
  const received: string[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    received.push(text)
    if (received.length > 1) response.statusCode = 401
    response.end('{"id":"m-1"}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { page, go } = await openPage(stage)
  await go('/integrations')
  await page.getByRole('link', { name: 'New integration' }).click()
  await page.getByRole('link', { name: 'SMS webhook' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Own texts')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  expect(await page.getByLabel('Webhook URL').evaluate((input: HTMLInputElement) => input.validity.valueMissing)).toBe(
    true,
  )
  await page.getByLabel('Webhook URL').fill(`http://127.0.0.1:${(server.address() as AddressInfo).port}/sms`)
  await page.getByLabel('Path of the message id').fill('id')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Own texts' }).waitFor()
  expect(await page.getByLabel('Webhook URL').inputValue()).toBe('')

  await page.getByLabel('Phone number').fill('+15005550006')
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText('The provider accepted the message').waitFor()
  expect(received[0]).toContain('+15005550006')
  await page.getByLabel('Name', { exact: true }).fill('Own SMS')
  await page.getByText('Unsaved changes').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { level: 1, name: 'Own SMS' }).waitFor()
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText('The test was not sent').waitFor()
  expect(await findViolations(page)).toEqual([])

  await stage.call('PUT', `/v1/integrations/${await integrationId('texts')}`, { active: true })
  await stage.call('POST', `/v1/integrations/${await integrationId('texts')}/set-primary`)
  await page.reload()
  await page.getByRole('button', { name: 'Set as primary' }).click()
  await page.getByText('Primary', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { level: 1, name: 'Integrations' }).waitFor()
  await page.getByRole('link', { name: 'Shop mail' }).waitFor()
  expect(await page.getByRole('link', { name: 'Own SMS' }).count()).toBe(0)
})

test('a layout preview is updated while it is edited, in the languages of its texts', async () => {
  const { page, go } = await openPage(stage)
  await go('/layouts')
  await page.getByRole('button', { name: 'New layout' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Taken')
  await page.getByLabel('Identifier').fill('shop')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText('already exists').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Shop', exact: true }).click()
  const mail = page.frameLocator('iframe')
  await mail.getByText('Good to see you, Ada').waitFor()
  await page.getByLabel('Language of the subscriber').selectOption('de_DE')
  await mail.getByText('Willkommen zurück, Ada').waitFor()
  const editor = page.getByRole('textbox', { name: 'HTML of the layout' })
  await editor.click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('<p>No body</p>')
  await page.getByText('The content must contain').first().waitFor()
  // The last content stays: a new frame could stay blank on a busy machine.
  await mail.getByText('Willkommen zurück, Ada').waitFor()
  await page.keyboard.type('{{{ body }}}')
  await mail.getByText('No body').waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  await mail.getByText('Willkommen zurück, Ada').waitFor()
})

test('texts are edited alongside another language, and missing ones are counted', async () => {
  const { page, go } = await openPage(stage)
  await go('/translations')
  await page.getByRole('link', { name: 'Shop' }).click()
  await page.getByLabel('Language').selectOption('de_DE')
  await page.getByText('1 text is missing').waitFor()
  const mail = page.frameLocator('iframe')
  await mail.getByText('Willkommen zurück, Ada').waitFor()
  await mail.getByText('Acme Inc, Berlin').waitFor()
  await page.getByLabel('footer.address').fill('Acme GmbH, Berlin')
  await mail.getByText('Acme GmbH, Berlin').waitFor()
  await page.getByLabel('New key').fill('bye')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByLabel('bye').fill('Bis bald\nund danke')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  const saved = await stage.call('GET', '/v2/translations/layout/shop/de_DE')
  expect(saved).toMatchObject({
    content: { hello: 'Willkommen zurück', bye: 'Bis bald\nund danke', footer: { address: 'Acme GmbH, Berlin' } },
  })
})

test('adding an existing language opens it, and a conflicting key is refused', async () => {
  const { page, go } = await openPage(stage)
  const english = '/v2/translations/layout/shop/en_US'
  const german = '/v2/translations/layout/shop/de_DE'
  const before = [await stage.call('GET', english), await stage.call('GET', german)]
  await go('/translations/layout/shop?locale=de_DE')
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Add language' }).click()
  await dialog.getByLabel('Language').fill('en-us')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect.poll(() => page.getByLabel('hello').inputValue()).toBe('Good to see you')
  await page.getByLabel('New key').fill('footer')
  await page.getByText('The key footer.address exists already').waitFor()
  expect(await page.getByRole('button', { name: 'Add', exact: true }).isDisabled()).toBe(true)
  await go('/translations')
  await page.getByRole('button', { name: 'New translation' }).click()
  await dialog.getByLabel('Texts of').selectOption('layout/shop')
  await dialog.getByLabel('Language').fill('DE-de')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor()
  expect(new URL(page.url()).searchParams.get('locale')).toBe('de_DE')
  expect([await stage.call('GET', english), await stage.call('GET', german)]).toEqual(before)
})

test('a layout with Windows line ends has no unsaved changes until it is edited', async () => {
  const layout = { name: 'Windows', isTranslationEnabled: true }
  await stage.call('POST', '/v2/layouts', { ...layout, layoutId: 'windows' })
  await stage.call('PUT', '/v2/layouts/windows', {
    ...layout,
    controlValues: { email: { editorType: 'html', body: '<p>Hello</p>\r\n{{{ body }}}\r\n' } },
  })
  const { page, go } = await openPage(stage)
  await go('/layouts/windows')
  const editor = page.getByRole('textbox', { name: 'HTML of the layout' })
  await editor.getByText('{{{ body }}}').waitFor()
  const unsaved = page.getByText('Unsaved changes')
  expect(await unsaved.count()).toBe(0)
  await editor.click()
  await page.keyboard.type('x')
  await unsaved.waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  await unsaved.waitFor({ state: 'detached' })
})

test('unsaved edits of a record do not move to another one', async () => {
  await stage.call('POST', '/v2/contexts', { type: 'project', id: 'soyuz', data: {} })
  const { page, go } = await openPage(stage)
  const field = page.getByLabel('Bridge URL')
  await go('/contexts/project/soyuz')
  await field.waitFor()
  await page.evaluate((to) => history.pushState(null, '', to), page.url().replace('soyuz', 'apollo'))
  await page.getByRole('heading', { level: 1, name: 'project:apollo' }).waitFor()
  await field.fill('http://127.0.0.1:9/other')
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'project:soyuz' }).waitFor()
  expect(await field.inputValue()).toBe('')
})

test('the preview of a workflow follows its unsaved texts, and reports broken ones', async () => {
  await stage.call('POST', '/v2/workflows', {
    ...{ name: 'Thanks', workflowId: 'thanks', active: true },
    steps: [
      {
        ...{ stepId: 'mail', name: 'Mail', type: 'email' },
        controlValues: { subject: 'Order', body: '<p>{{ t.thanks }}, {{ subscriber.firstName }}.</p>' },
      },
    ],
  })
  const texts = { resourceType: 'workflow', resourceId: 'thanks', locale: 'de_DE', content: { thanks: 'Danke' } }
  await stage.call('POST', '/v2/translations', texts)
  const { page, go } = await openPage(stage)
  await go('/translations/workflow/thanks?locale=de_DE')
  const mail = page.frameLocator('iframe')
  await mail.getByText('Danke, Ada.').waitFor()
  await page.getByLabel('thanks').fill('Vielen Dank')
  await mail.getByText('Vielen Dank, Ada.').waitFor()
  await page.getByText('Unsaved changes').waitFor()
  await page.getByLabel('thanks').fill('{{ subscriber.firstName | shout }}')
  await page
    .getByText(/translations.*shout/)
    .first()
    .waitFor()
  expect(await stage.call('GET', '/v2/translations/workflow/thanks/de_DE')).toMatchObject({
    content: { thanks: 'Danke' },
  })
})

test('connections and addresses are created, updated and deleted', async () => {
  const { page, go } = await openPage(stage)
  const create = page.getByRole('dialog').getByRole('button', { name: 'Create' })
  await go('/connections')
  await page.getByRole('button', { name: 'New connection' }).click()
  await page.getByLabel('Integration').selectOption('Slack')
  await page.getByLabel('Subscriber').fill('ada')
  await page.getByLabel('Workspace id').fill('T2')
  await page.getByLabel('Access token').fill('xoxb-2')
  await create.click()
  await page.getByRole('heading', { level: 1, name: 'T2' }).waitFor()
  expect(await page.content()).not.toContain('xoxb-2')
  await page.getByLabel('Name', { exact: true }).fill('Two')
  await page.getByLabel('Access token').fill('xoxb-3')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { level: 1, name: 'Two' }).waitFor()
  const connections = await stage.call('GET', '/v1/channel-connections?subscriberId=ada')
  expect(connections).toMatchObject({
    data: [{ workspace: { id: 'T2', name: 'Two' }, integrationIdentifier: 'slack' }],
  })
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { level: 1, name: 'Connections' }).waitFor()
  expect(await page.getByRole('link', { name: 'Two' }).count()).toBe(0)

  await go('/addresses')
  await page.getByRole('button', { name: 'New address' }).click()
  await page.getByLabel('Type').selectOption('Webhook of a tool')
  await page.getByLabel('Subscriber').fill('ada')
  await page.getByLabel('Integration').selectOption('Slack')
  await page.getByLabel('URL').fill('nowhere')
  await create.click()
  await page.getByRole('dialog').getByText('URL').first().waitFor()
  await expect.poll(() => page.getByLabel('URL').getAttribute('aria-invalid')).toBe('true')
  await page.getByLabel('URL').fill('https://tools.example/hook')
  await page.getByLabel('Method').selectOption('PUT')
  await create.click()
  await page.getByRole('heading', { level: 1, name: 'Webhook of a tool' }).waitFor()
  await page.getByLabel('URL').fill('https://tools.example/other')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  expect(await stage.call('GET', '/v1/channel-endpoints?subscriberId=ada')).toMatchObject({
    data: expect.arrayContaining([
      expect.objectContaining({ endpoint: { url: 'https://tools.example/other', method: 'PUT' } }),
    ]),
  })
  await page.getByRole('link', { name: 'ada', exact: true }).click()
  await page.getByRole('tab', { name: 'Profile' }).click()
  await page.getByRole('link', { name: 'Webhook of a tool' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { level: 1, name: 'Addresses' }).waitFor()
})

test('tenants and contexts are created, updated and deleted', async () => {
  const { page, go } = await openPage(stage)
  await go('/tenants')
  await page.getByRole('button', { name: 'New tenant' }).click()
  await page.getByLabel('Identifier').fill('initech')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { level: 1, name: 'initech' }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Initech')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { level: 1, name: 'Initech' }).waitFor()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { level: 1, name: 'Tenants' }).waitFor()
  await go('/contexts')
  await page.getByRole('button', { name: 'New context' }).click()
  await page.getByLabel('Type').fill('Project')
  await page.getByLabel('Identifier').fill('gemini')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText('must consist of').first().waitFor()
  await page.getByLabel('Type').fill('project')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { level: 1, name: 'project:gemini' }).waitFor()
  await page.getByLabel('Bridge URL').fill('https://gemini.example/bridge')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  expect(await stage.call('GET', '/v2/contexts/project/gemini')).toMatchObject({
    bridgeUrl: 'https://gemini.example/bridge',
  })
  await go('/contexts?search=apollo')
  await page.getByRole('link', { name: 'apollo' }).waitFor()
  expect(await page.getByRole('link', { name: 'gemini' }).count()).toBe(0)
})

test('a workflow stored through the API is shown, previewed and edited', async () => {
  const { page, go } = await openPage(stage)
  await go('/workflows')
  await page.getByRole('link', { name: 'Stored order' }).click()
  await page.getByText('Stored through the API').first().waitFor()
  await go('/workflows/stored-order/steps/mail')
  await page.frameLocator('iframe').getByText('Thank you').waitFor()
  await page.getByRole('tab', { name: 'Controls' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('textbox', { name: 'the controls' }).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(JSON.stringify({ subject: 'Changed', body: '<p>Thanks again</p>' }))
  await page.getByText('Not saved').waitFor()
  await page.frameLocator('iframe').getByText('Thanks again').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  expect(await stage.call('GET', '/v1/bridge/controls/stored-order/mail')).toMatchObject({
    data: { controls: { subject: 'Changed' } },
  })
})

test('the secret key is replaced after its current value is entered, and the new key is shown once', async ({
  onTestFinished,
}) => {
  const own = await startStage()
  onTestFinished(() => own.stop())
  const { page, go } = await openPage(own)
  await go('/environments')
  await page.getByRole('button', { name: 'New environment' }).click()
  await page.getByLabel('Name', { exact: true }).last().fill('Staging')
  await page.getByLabel('Secret key of Development').fill(own.secretKey)
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText('Staging is created').waitFor()
  // Only a button closes the dialog, because the key is not shown again.
  await page.keyboard.press('Escape')
  expect(await page.getByRole('dialog').getByText(/^sk_/).textContent()).toMatch(/^sk_[0-9a-f]{48}$/)
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Regenerate' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Current secret key').fill('sk_wrong')
  await dialog.getByRole('button', { name: 'Regenerate' }).click()
  await page.getByText('The service does not know this key.').first().waitFor()
  await dialog.getByLabel('Current secret key').fill(own.secretKey)
  await dialog.getByRole('button', { name: 'Regenerate' }).click()
  await page.getByText('The secret key was replaced').waitFor()
  const newKey = (await page.getByText(/^sk_/).textContent()) ?? ''
  const call = (key: string) => fetch(`${own.url}/v1/environments/me`, { headers: { authorization: `ApiKey ${key}` } })
  expect([(await call(own.secretKey)).status, (await call(newKey)).status]).toEqual([401, 200])
})

test('the profile of a subscriber is edited, and an empty field removes its value', async () => {
  await stage.call('POST', '/v2/subscribers', {
    subscriberId: 'grace',
    firstName: 'Grace',
    phone: '+1500',
    data: { vip: true },
  })
  const { page, go } = await openPage(stage)
  await go('/subscribers/grace?tab=profile')
  await page.getByText('Your app stores device tokens').waitFor()
  await stage.call('POST', '/v1/integrations', { providerId: 'fcm', identifier: 'fcm', channel: 'push', active: true })
  const credentials = { deviceTokens: [`token-${'x'.repeat(40)}-end`] }
  await stage.call('PUT', '/v1/subscribers/grace/credentials', { providerId: 'fcm', credentials })
  await page.reload()
  await page
    .getByRole('row', { name: 'fcm' })
    .getByText(/^token-x+…-end$/)
    .waitFor()
  await page.getByLabel('Phone').fill('')
  await page.getByRole('textbox', { name: 'Data' }).fill('')
  await page.getByLabel('Email').fill('nonsense')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText("Couldn't save the subscriber").waitFor()
  await page.getByLabel('Email').fill('grace@example.com')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  await keepPicture(page, 'profile')
  expect(await findViolations(page)).toEqual([])
  const saved = await stage.call('GET', '/v2/subscribers/grace')
  expect(saved).toMatchObject({ firstName: 'Grace', email: 'grace@example.com' })
  expect(saved).not.toHaveProperty('phone', '+1500')
  expect(saved).not.toHaveProperty('data.vip')
})

test('a secret variable keeps its value until another one is entered', async () => {
  const { data: environment } = (await stage.call('GET', '/v1/environments/me')) as { data: { _id: string } }
  const values = [{ _environmentId: environment._id, value: 'first' }]
  await stage.call('POST', '/v1/environment-variables', { key: 'TOKEN', isSecret: true, values })
  const { page, go } = await openPage(stage)
  await go('/environment-variables')
  const save = async (value: string): Promise<unknown> => {
    await page.getByRole('button', { name: 'Change TOKEN' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Value in Development').fill(value)
    const sent = page.waitForRequest((request) => request.method() === 'PATCH')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    return (await sent).postDataJSON()
  }
  expect(await save('')).toEqual({ isSecret: true })
  expect(await save('second')).toEqual({ isSecret: true, values: [{ ...values[0], value: 'second' }] })
})

test('control values are checked when saved, and earlier ones are compared and restored', async () => {
  const { page, go } = await openPage(stage)
  const path = '/v1/bridge/controls/incident-opened/report'
  await stage.call('PUT', path, { variables: { subject: 'First', intro: 'Hello' } })
  await stage.call('PUT', path, { variables: { subject: 'Second', intro: 'Hello' } })
  await go('/workflows/incident-opened/steps/report')
  await page.getByRole('tab', { name: 'Controls' }).click()
  await page.getByLabel('subject').fill('{{ payload.servic }}')
  await page.getByText('unknown variable "payload.servic"').first().waitFor()
  expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => page.getByLabel('subject').inputValue()).toBe('Second')
  await page.getByRole('button', { name: 'History' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('First').waitFor()
  await dialog.getByText('by Secret key').waitFor()
  await keepPicture(page, 'history of controls')
  expect(await findViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Restore' }).click()
  expect(await page.getByLabel('subject').inputValue()).toBe('First')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  expect(await stage.call('GET', path)).toMatchObject({ data: { controls: { subject: 'First' } } })
})

test('a webhook endpoint is added with a secret key, tested, changed, rotated, disabled and deleted', async ({
  onTestFinished,
}) => {
  const received: (string | undefined)[] = []
  let status = 204
  const server = createServer((request, response) => {
    received.push(request.headers['webhook-signature']?.toString())
    response.writeHead(status).end()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`
  const { page, complaints, go } = await openPage(stage)
  await go('/webhooks')
  await page.getByRole('button', { name: 'New endpoint' }).click()
  const dialog = page.getByRole('dialog')
  const document = (await stage.call('GET', '/openapi.json')) as Described
  const { eventTypes } =
    document.paths['/v1/webhook-endpoints'].post.requestBody.content['application/json'].schema.properties
  const switches = dialog.getByRole('switch')
  const names = await switches.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))
  expect(names).toEqual(eventTypes.items.enum)
  await dialog.getByLabel('URL').fill(url)
  await dialog.getByLabel('Description').fill('Shop events')
  await dialog.getByRole('switch', { name: 'message.bounced' }).click()
  await dialog.getByLabel('Secret key of Development').fill('sk_wrong')
  await dialog.getByRole('button', { name: 'Add' }).click()
  await page.getByText('The service does not know this key.').first().waitFor()
  await dialog.getByLabel('Secret key of Development').fill(stage.secretKey)
  await dialog.getByRole('button', { name: 'Add' }).click()
  await page.getByText('The endpoint was added').waitFor()
  expect(await dialog.getByText(/^whsec_/).textContent()).toMatch(/^whsec_.{40,}$/)
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('heading', { level: 1, name: 'Shop events' }).waitFor()
  expect(await page.content()).not.toContain('whsec_')
  expect(await page.getByRole('switch', { name: 'message.bounced' }).getAttribute('aria-checked')).toBe('true')

  await page.getByRole('button', { name: 'Send test event' }).click()
  const first = page.getByRole('row', { name: /webhook\.test/ })
  await first.getByText('Delivered').waitFor()
  await first.getByText('204').waitFor()
  status = 500
  await first.getByRole('button', { name: 'Send webhook.test again' }).click()
  await first.getByText('The webhook answered 500.').waitFor()
  await first.getByText('Pending').waitFor()
  await page.getByText('Failing').waitFor()

  await page.getByLabel('Description').fill('Bounces')
  await page.getByRole('switch', { name: 'message.bounced' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { level: 1, name: 'Bounces' }).waitFor()
  await page.getByRole('button', { name: 'Rotate secret' }).click()
  await dialog.getByLabel('Secret key of Development').fill(stage.secretKey)
  await dialog.getByRole('button', { name: 'Rotate' }).click()
  await page.getByText('The secret was rotated').waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  status = 204
  await page.getByRole('button', { name: 'Send test event' }).click()
  await expect.poll(() => received.at(-1)?.split(' ').length).toBe(2)

  await page.getByRole('button', { name: 'Disable' }).click()
  await page.getByText('Disabled', { exact: true }).waitFor()
  const stored = (await stage.call('GET', '/v1/webhook-endpoints')) as { data: readonly object[] }
  expect(stored.data.find((one) => 'url' in one && one.url === url)).toMatchObject({
    ...{ active: false, description: 'Bounces', eventTypes: [] },
  })
  await page.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Bounces is deleted').waitFor()
  // The browser reports the wrong key and the deleted endpoint.
  expect(complaints.filter((line) => !/status of 40[14]/.test(line))).toEqual([])
})

/** What the test reads of the description of the API. */
interface Described {
  readonly paths: {
    readonly '/v1/webhook-endpoints': {
      readonly post: {
        readonly requestBody: {
          readonly content: {
            readonly 'application/json': {
              readonly schema: {
                readonly properties: { readonly eventTypes: { readonly items: { readonly enum: readonly string[] } } }
              }
            }
          }
        }
      }
    }
  }
}

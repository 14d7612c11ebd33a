import { expect, test } from 'vitest'
import { serveRecords } from '../../packages/bridge-client/fixtures/record-server.ts'
import { sendTo } from '../../packages/service/src/operations/domains/mail.fixture.ts'
import { setUpPages } from './set-up-pages.ts'
import { startStage } from './stage.ts'
import { findViolations, keepPicture, phone, settle } from './visit.ts'

const openPage = setUpPages()

test('adds, verifies and routes a domain, and shows its mail', async ({ onTestFinished }) => {
  const dns = await serveRecords({ 'person.test': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] } })
  const inboundMail = { hostName: 'mx.service.test', port: 0, nameServers: [dns.address] }
  const stage = await startStage({ inboundMail })
  onTestFinished(() => stage.stop())
  const studio = await openPage(stage)
  const { page } = studio
  await studio.go('/domains')
  await page.getByText('No domains').waitFor()
  await page.getByRole('button', { name: 'New domain' }).click()
  await page.getByLabel('Domain', { exact: true }).fill('nonsense')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('must be a full domain, such as mail.example.com').first().waitFor()
  await page.getByLabel('Domain', { exact: true }).fill('in.test')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('heading', { name: 'in.test' }).waitFor()

  const proof = (await page.getByText('trestle-verification=').textContent()) ?? ''
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByText('Record not found: TXT, MX').waitFor()
  dns.zone.set('_trestle-challenge.in.test', { TXT: [proof] })
  dns.zone.set('in.test', { MX: ['10 mx.service.test'] })
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByText('Verified', { exact: true }).waitFor()

  const addRoute = async (address: string, type: string, target: string): Promise<void> => {
    await page.getByRole('button', { name: 'New route' }).click()
    await page.getByLabel('Address').fill(address)
    await page.getByLabel('Deliver to').selectOption(type)
    await page.getByLabel(type === 'webhook' ? 'Webhook URL' : 'Agent', { exact: true }).fill(target)
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('table', { name: 'Routes' }).getByText(`${address}@in.test`).waitFor()
  }
  await addRoute('support', 'webhook', 'http://10.0.0.1/mail')
  await addRoute('help', 'agent', 'quiet')

  await sendTo(stage.mailPort, { to: 'support@in.test', from: 'x@unknown.test', subject: 'An offer' })
  await sendTo(stage.mailPort, { to: 'help@in.test', subject: 'Away', headers: { 'auto-submitted': 'auto-replied' } })
  await sendTo(stage.mailPort, { to: 'help@in.test', subject: 'A question' })
  const mails = page.getByRole('table', { name: 'Received mail' })
  await mails.getByText('Automatic mail: auto-reply.').waitFor()
  await mails.getByText('Not authenticated').waitFor()
  await mails.getByText('The outbound address policy blocks this address.').waitFor()
  await settle(page)
  await keepPicture(page, 'domain')
  expect(await findViolations(page)).toEqual([])

  const [before] = ((await stage.call('GET', '/v1/studio/inbound-mails?status=failed')) as Page).data
  await mails.getByRole('button', { name: 'Retry' }).click()
  await expect
    .poll(async () => ((await stage.call('GET', '/v1/studio/inbound-mails?status=failed')) as Page).data[0]?.settledAt)
    .not.toBe(before?.settledAt)
  await mails.getByRole('link', { name: 'A question' }).click()
  await page.getByText('It does not work.').first().waitFor()

  await page.goBack()
  await page.getByRole('button', { name: 'Delete the route for support' }).click()
  await page.getByRole('dialog').getByText('Delete the route for support@in.test?').waitFor()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByLabel('Routes').getByText('support@in.test').waitFor({ state: 'detached' })
  // The browser reports the rejected domain.
  expect(studio.complaints.filter((line) => !line.includes('status of 422'))).toEqual([])

  const small = await openPage(stage, { ...phone, colorScheme: 'dark' })
  await small.go('/domains/in.test')
  await small.page.getByRole('table', { name: 'Received mail' }).waitFor()
  await keepPicture(small.page, 'domain on a phone')
  expect(await findViolations(small.page)).toEqual([])
  const width = await small.page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(390)
  await small.go('/domains')
  await small.page.getByRole('link', { name: 'in.test' }).waitFor()
  await keepPicture(small.page, 'domains on a phone')
  expect(await findViolations(small.page)).toEqual([])
})

interface Page {
  readonly data: readonly { readonly settledAt?: string }[]
}

import { expect, it } from 'vitest'
import { serveRecords } from '../../fixtures/record-server.ts'
import { createRecordLookup, isMissingRecord } from './record-lookup.ts'

const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'an answer',
    (error: { readonly code?: unknown }) => error.code,
  )

it('finds the records of each type', async () => {
  const { address } = await serveRecords({
    'mail.test': { TXT: ['v=spf1 -all', 'x'.repeat(300)], MX: ['10 mx.test', '20 other.test'], A: ['93.184.216.34'] },
    'www.mail.test': { CNAME: ['mail.test'] },
  })
  const find = createRecordLookup({ servers: [address] })
  await expect(find('mail.test', 'TXT')).resolves.toEqual([['v=spf1 -all'], ['x'.repeat(255), 'x'.repeat(45)]])
  const servers = await find('mail.test', 'MX')
  expect(servers.map(({ priority, exchange }) => `${priority} ${exchange}`)).toEqual(['10 mx.test', '20 other.test'])
  await expect(find('mail.test', 'A')).resolves.toEqual(['93.184.216.34'])
  await expect(find('www.mail.test', 'CNAME')).resolves.toEqual(['mail.test'])
})

it('distinguishes missing records from unresponsive name servers', async () => {
  const { address } = await serveRecords({ 'empty.test': {}, 'broken.test': 'SERVFAIL' })
  const find = createRecordLookup({ servers: [address], serverTimeoutMs: 50 })
  expect(await codeOf(find('none.test', 'TXT'))).toBe('ENOTFOUND')
  expect(await codeOf(find('empty.test', 'TXT'))).toBe('ENODATA')
  expect(await codeOf(find('broken.test', 'TXT'))).toBe('ESERVFAIL')
  expect(['ENOTFOUND', 'ENODATA', 'ESERVFAIL', 'ETIMEOUT'].map((code) => isMissingRecord({ code }))).toEqual([
    ...[true, true, false, false],
  ])
  expect([null, undefined, 'ENODATA'].map(isMissingRecord)).toEqual([false, false, false])
})

it('ends with the abort reason, and sends no more queries', async () => {
  const { address, asked } = await serveRecords({ 'slow.test': 'silence' })
  const find = createRecordLookup({ servers: [address], serverTimeoutMs: 100 })
  const controller = new AbortController()
  const call = find('slow.test', 'MX', { signal: controller.signal })
  await expect.poll(() => asked.length).toBeGreaterThan(0)
  controller.abort(new Error('enough'))
  await expect(call).rejects.toThrow('enough')
  const count = asked.length
  await expect(find('slow.test', 'MX', { signal: controller.signal })).rejects.toThrow('enough')
  expect(asked.length).toBe(count)
})

it.each([
  [{ hostsFile: '/etc/hosts' }, 'createRecordLookup has no option "hostsFile".'],
  [{ servers: ['name.test'] }, 'servers must be'],
])('rejects the options %j', (options, message) => {
  expect(() => createRecordLookup(options as never)).toThrow(message)
})

import { expect, it, onTestFinished } from 'vitest'
import { createMailReader } from './read-mail.ts'

it('rejects a mail that takes too much memory for good', async () => {
  const reader = createMailReader({
    findRecords: () => Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' })),
    maxReadingMs: 600_000,
  })
  onTestFinished(() => reader.stop())
  const read = (body: string) =>
    reader.read({
      ...{ raw: Buffer.from(`From: a@sender.test\r\n\r\n${body}`), remoteAddress: '192.0.2.1', helo: 'sender.test' },
      ...{ envelopeFrom: 'a@sender.test', hostName: 'mx.service.test', recipients: ['b@in.test'] },
    })
  await expect(read(`${'a'.repeat(64)}\r\n`.repeat(1_500_000))).rejects.toMatchObject({
    ...{ responseCode: 554, message: '5.3.4 The mail cannot be read: it takes too much memory.' },
  })
  expect(await read('Hello')).toMatchObject({ text: expect.stringContaining('Hello') })
})

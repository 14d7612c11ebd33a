import { once } from 'node:events'
import { connect } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'
import { type MailScene, startScene } from './mail-scene.fixture.ts'
import { parseMail } from './parse-mail.ts'
import { createMailReader } from './read-mail.ts'

const mailOf = (body: string): string => `From: ada@sender.test\r\nSubject: Slow\r\n\r\n${body}`

/** Returns an email that takes seconds of processor time to parse: as many lines as are allowed. */
const slowMail = (longLines: number): string =>
  mailOf('a\r\n'.repeat(149_000) + `${'a'.repeat(64)}\r\n`.repeat(longLines))

/** Sends an email unchanged, with minimal work in this thread; resolves to the reply. */
async function sendRaw({ server }: MailScene, raw: string): Promise<string> {
  const socket = connect(server.port, '127.0.0.1')
  const lines = createInterface(socket)[Symbol.asyncIterator]()
  const steps = ['HELO out.sender.test', 'MAIL FROM:<ada@sender.test>', 'RCPT TO:<support@in.test>', 'DATA', `${raw}.`]
  let answer = (await lines.next()).value
  for (const step of steps) {
    socket.write(`${step}\r\n`)
    answer = (await lines.next()).value
  }
  socket.end('QUIT\r\n')
  await once(socket, 'close')
  return answer
}

it('does not block the process while it parses an email', async () => {
  const scene = await startScene({ maxMessageBytes: 10_000_000 })
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  const startedMs = performance.now()
  expect(await sendRaw(scene, slowMail(0))).toMatch(/^250/)
  delay.disable()
  // Parsing the mail in this thread would block it for almost the whole time.
  expect(delay.max / 1e6 / (performance.now() - startedMs)).toBeLessThan(0.3)
  expect(scene.received[0]?.subject).toBe('Slow')
})

it('defers an email that takes too long, and reads the next one', async () => {
  const patient = await startScene({ maxMessageBytes: 10_000_000 })
  const startedMs = performance.now()
  expect(await sendRaw(patient, slowMail(140_000))).toMatch(/^250/)
  // A twentieth of what this machine needs for it, and far more than what it needs for a short mail.
  const maxReadingMs = (performance.now() - startedMs) / 20
  const scene = await startScene({ maxMessageBytes: 10_000_000, maxReadingMs })
  expect(await sendRaw(scene, slowMail(140_000))).toMatch(
    /^451 4\.3\.1 The mail cannot be read now: it has not finished within/,
  )
  expect(await scene.send({})).toMatch(/^250/)
  expect(scene.received.map(({ subject }) => subject)).toEqual(['Hello'])
  expect(scene.faults).toEqual([])
})

it('rejects a mail of too many short lines for good', async () => {
  const scene = await startScene({ maxMessageBytes: 10_000_000 })
  expect(await sendRaw(scene, mailOf('a\r\n'.repeat(150_001)))).toBe(
    '554 5.6.0 The mail has more than 150000 lines shorter than 64 bytes.',
  )
  // The lines of an encoded file are longer.
  const file = `${'QUJD'.repeat(19)}\r\n`.repeat(160_000)
  const head = 'Content-Type: image/png\r\nContent-Transfer-Encoding: base64'
  const { attachments } = await parseMail(Buffer.from(`From: ada@sender.test\r\n${head}\r\n\r\n${file}`))
  expect(attachments.map(({ sizeBytes }) => sizeBytes)).toEqual([160_000 * 57])
})

it('reads one email per sending server at a time, and keeps few waiting', async () => {
  const findRecords = (name: string): Promise<never> =>
    name.endsWith('slow.test')
      ? new Promise(() => undefined)
      : Promise.reject(Object.assign(new Error(name), { code: 'ENOTFOUND' }))
  const reader = createMailReader({ findRecords, maxReadingMs: 60_000 })
  onTestFinished(() => reader.stop())
  const read = (remoteAddress: string, domain: string) =>
    reader.read({
      ...{ raw: Buffer.from(`From: a@${domain}\r\n\r\nHello`), remoteAddress, helo: domain },
      ...{ envelopeFrom: `a@${domain}`, hostName: 'mx.service.test', recipients: ['b@in.test'] },
    })
  const slow = Array.from({ length: 10 }, () => read('192.0.2.1', 'slow.test'))
  expect(await read('192.0.2.2', 'quick.test')).toMatchObject({ from: { address: 'a@quick.test' } })
  slow.push(...Array.from({ length: 10 }, () => read('192.0.2.1', 'slow.test')))
  await expect(read('192.0.2.1', 'slow.test')).rejects.toThrow('4.3.1 Too many mails')
  const outcomes = Promise.allSettled(slow)
  await reader.stop()
  const reasons = (await outcomes).map((outcome) => outcome.status === 'rejected' && outcome.reason.message)
  expect(new Set(reasons)).toEqual(new Set(['4.3.2 The server is shutting down. Try again later.']))
})

it('treats records that cannot be copied to its process as a failed lookup', async () => {
  const reader = createMailReader({ findRecords: async () => [() => undefined] as never, maxReadingMs: 60_000 })
  onTestFinished(() => reader.stop())
  const reading = reader.read({
    ...{ raw: Buffer.from('From: a@sender.test\r\n\r\nHello'), remoteAddress: '192.0.2.1', helo: 'sender.test' },
    ...{ envelopeFrom: 'a@sender.test', hostName: 'mx.service.test', recipients: ['b@in.test'] },
  })
  await expect(reading).rejects.toThrow('4.7.24 The name servers of sender.test do not answer.')
})

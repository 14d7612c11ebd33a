import type { JsonObject } from '@trestle/protocol'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { expect, test } from 'vitest'
import { readMail } from './mail-schema.ts'

/** Returns the source of an email, which is the same for the same fields. */
async function compose(mail: SendMailOptions): Promise<string> {
  const transport = createTransport({ streamTransport: true, buffer: true })
  const fixed = { baseBoundary: 'b', messageId: '<1@x.example>', date: 'Thu, 1 Jan 1970 00:00:00 +0000' }
  const { message } = await transport.sendMail({
    from: 'a@x.example',
    to: 'b@x.example',
    text: 'hi',
    ...mail,
    ...fixed,
  })
  return String(message)
}

test.each<[JsonObject]>([
  [{ content: 'hé' }],
  [{ content: 'hé', encoding: 'UTF-8' }],
  [{ content: 'hi', encoding: 'us-ascii' }],
  [{ content: 'aGk\r\n=', encoding: 'base64' }],
  [{ content: '_-8', encoding: 'base64url', filename: 'a.bin' }],
  [{ content: '00ff0a', encoding: 'hex', cid: 'logo', contentType: 'image/png' }],
  [{ content: 'hé', encoding: 'UTF-16LE', contentType: 'text/plain' }],
  [{ content: '', encoding: 'hex' }],
  [{ path: 'data:text/plain,h%20i%' }],
  [{ path: 'data:text/plain;charset=utf-8,h%20i', contentType: 'text/x' }],
  [{ href: 'data:image/png;name=a;BASE64,AP8K', filename: 'a.png' }],
])('the content of the attachment %j is the same as if Nodemailer decoded it', async (file) => {
  const mail = { attachments: [{ ...file }], alternatives: [{ contentType: 'text/x', ...file }] }
  expect(await compose(readMail(mail))).toBe(await compose({ ...structuredClone(mail) }))
})

test('the bodies of an email are decoded like its attachments', () => {
  const buffer = Buffer.from('<p>hé</p>')
  const html = { content: buffer.toString('base64'), encoding: 'base64' }
  expect(readMail({ html, text: buffer.toJSON() })).toMatchObject({ html: { content: buffer }, text: buffer })
})

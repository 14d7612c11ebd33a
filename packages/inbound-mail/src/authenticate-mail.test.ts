import { generateKeyPairSync } from 'node:crypto'
import { dkimSign } from 'mailauth'
import { describe, expect, it } from 'vitest'
import { type Authentication, authenticateMail } from './authenticate-mail.ts'
import { type ParsedMail, parseMail } from './parse-mail.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const key = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64')
const signingKey = `v=DKIM1; k=ed25519; p=${key}`

/** Domains that sign their mail. Only `bank.test` and `strict.test` have a DMARC policy. */
const records: Readonly<Record<string, string>> = {
  '_dmarc.bank.test': 'v=DMARC1; p=reject',
  'k1._domainkey.bank.test': signingKey,
  'k1._domainkey.evil.test': signingKey,
  '_dmarc.strict.test': 'v=DMARC1; p=reject; adkim=s; aspf=s',
  'k1._domainkey.strict.test': signingKey,
  'k1._domainkey.sub.strict.test': signingKey,
  'k1._domainkey.sub.bank.test': signingKey,
  'k1._domainkey.plain.test': signingKey,
}

async function findRecords(name: string, type: string): Promise<unknown> {
  const record = type === 'TXT' ? records[name] : undefined
  if (record === undefined) throw Object.assign(new Error(name), { code: 'ENOTFOUND' })
  return [[record]]
}

interface Signing {
  readonly domain: string
  /** The names of the signed headers, separated by colons. @default the usual ones */
  readonly headers?: string
  /** The number of signed bytes of the body. @default all */
  readonly length?: number
}

/** Signs an email, each character of which is a byte. */
async function sign(mail: string, { domain, headers, length }: Signing): Promise<string> {
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' })
  const one = { signingDomain: domain, selector: 'k1', privateKey: pem, maxBodyLength: length }
  // Without a time, the library reads the clock twice, and sometimes signs another second than it writes.
  const options = { signatureData: [one], headerList: headers, signTime: new Date() }
  const { signatures, errors } = await dkimSign(Buffer.from(mail, 'latin1'), options as never)
  expect(errors).toEqual([])
  return signatures + mail
}

/** Authenticates an email from a server that no SPF record authorizes. */
const authenticate = (mail: string, author: string): Promise<Authentication> =>
  authenticateMail(
    {
      ...{ raw: Buffer.from(mail, 'latin1'), remoteAddress: '192.0.2.1', helo: 'out.evil.test' },
      ...{ envelopeFrom: 'a@evil.test', author, hostName: 'mx.service.test' },
    },
    findRecords,
  )

async function read(mail: string): Promise<ParsedMail & { readonly authentication: Authentication }> {
  const parsed = await parseMail(Buffer.from(mail, 'latin1'))
  return { ...parsed, authentication: await authenticate(mail, parsed.from.address) }
}

describe('an email signed by another domain is rejected', () => {
  const encoded = (text: string): string => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`
  const malformed = /^5\.6\.0 Line \d of the header/
  const author = /^5\.6\.0 The mail must have exactly one From address/
  it.each([
    ['From\x0b: a@evil.test\r\nFrom: ceo@bank.test', malformed],
    ['From\x0c: a@evil.test\r\nFrom: ceo@bank.test', malformed],
    ['From\xa0: a@evil.test\r\nFrom: ceo@bank.test', malformed],
    ['From: ceo@bank.test\r\n\x0bFrom: a@evil.test', malformed],
    ['From : a@evil.test\r\nFrom: ceo@bank.test', malformed],
    ['From\r\n : a@evil.test\r\nFrom: ceo@bank.test', malformed],
    ['From\r: a@evil.test\r\nFrom: ceo@bank.test', malformed],
    ['From: ceo@bank.test\r\n\r\r\nFrom: a@evil.test', malformed],
    ['From: a@evil.test\r\nFrom: ceo@bank.test', author],
    ['From: Ceo\r\nFrom: a@evil.test', author],
    ['From: ceo@bank.test, a@evil.test', author],
    ['From: x: ceo@bank.test;', author],
    ['From: x: ceo@bank.test;, a@evil.test', author],
    ['From: x: a@evil.test;, ceo@bank.test', author],
    [`From: ${encoded('Ceo <ceo@bank.test>')}`, author],
    [`From: ${encoded('Ceo <ceo@bank.test>')}, a@evil.test`, author],
    ['From: ceo@bank.test', /^5\.7\.26 The sender bank\.test is not authenticated/],
  ])('%j', async (header, message) => {
    const mail = await sign(`Subject: Hi\r\n${header}\r\n\r\nHello\r\n`, { domain: 'evil.test' })
    const responseCode = message === malformed ? 554 : 550
    const refusal = { name: 'RefusedMailError', responseCode, message: expect.stringMatching(message) }
    await expect(read(mail)).rejects.toMatchObject(refusal)
  })

  it('if it is shown with another author than the signed one', async () => {
    const raw = await sign('From: a@evil.test\r\n\r\nHello\r\n', { domain: 'evil.test' })
    await expect(authenticate(raw, 'ceo@plain.test')).rejects.toThrow(author)
  })
})

describe('a signature', () => {
  const mail = (domain: string): string => `From: Ceo <ceo@${domain}>\r\nSubject: Hi\r\n\r\nHello\r\n`

  it('of the author’s domain proves the author', async () => {
    const { from, authentication } = await read(await sign(mail('bank.test'), { domain: 'bank.test' }))
    expect(from).toEqual({ address: 'ceo@bank.test', name: 'Ceo' })
    expect(authentication).toMatchObject({
      ...{ verdict: 'pass', dkim: [{ result: 'pass', domain: 'bank.test' }], dmarc: { result: 'pass' } },
    })
  })

  it('does not prove headers that were added to a signed email', async () => {
    const names = [
      ...['Subject', 'Date', 'Sender', 'Reply-To', 'To', 'Cc', 'Bcc', 'Message-ID', 'In-Reply-To', 'References'],
      ...['MIME-Version', 'Content-Type', 'Content-Transfer-Encoding', 'Content-Disposition', 'Content-ID'],
      'Content-Description',
    ]
    for (const name of names) {
      const signed = await sign(`${name}: 1\r\n${mail('bank.test').replace('Subject', 'X')}`, { domain: 'bank.test' })
      expect(await read(signed), name).toMatchObject({ authentication: { verdict: 'pass' } })
      await expect(read(`${name.toUpperCase()}: 2\r\n${signed}`), name).rejects.toMatchObject({
        ...{
          responseCode: 554,
          message: `5.6.0 The mail has 2 headers "${name.toLowerCase()}", but only one is allowed.`,
        },
      })
    }
  })

  it('of a subdomain proves the author, unless the domain asks for the same domain', async () => {
    const mail = (domain: string): string => `From: ada@${domain}\r\nSubject: Hi\r\n\r\nText\r\n`
    const verdictOf = async (signer: string, domain: string) =>
      (await read(await sign(mail(domain), { domain: signer }))).authentication.verdict
    expect(await verdictOf('sub.bank.test', 'bank.test')).toBe('pass')
    expect(await verdictOf('strict.test', 'strict.test')).toBe('pass')
    await expect(verdictOf('sub.strict.test', 'strict.test')).rejects.toMatchObject({ responseCode: 550 })
  })

  it('proves nothing if it does not cover the whole body', async () => {
    for (const domain of ['bank.test', 'plain.test']) {
      const signed = await sign(mail(domain), { domain, length: 7 })
      expect(await read(signed)).toMatchObject({ authentication: { verdict: 'pass', dkim: [{ result: 'pass' }] } })
      const longer = read(`${signed}Added\r\n`)
      if (domain === 'bank.test') await expect(longer).rejects.toMatchObject({ responseCode: 550 })
      else expect(await longer).toMatchObject({ authentication: { verdict: 'none', dkim: [{ result: 'policy' }] } })
    }
  })

  it('proves nothing if it does not cover the From header', async () => {
    const signed = await sign(mail('plain.test'), { domain: 'plain.test', headers: 'Subject' })
    expect(await read(signed.replace('ceo@', 'cfo@'))).toMatchObject({
      ...{ from: { address: 'cfo@plain.test' }, authentication: { verdict: 'none', dkim: [{ result: 'policy' }] } },
    })
  })

  it('proves an author whose name contains a comma', async () => {
    const signed = await sign('From: Doe, Jane <jane@bank.test>\r\n\r\nHello\r\n', { domain: 'bank.test' })
    expect(await read(signed)).toMatchObject({
      ...{ from: { address: 'jane@bank.test', name: 'Doe, Jane' }, authentication: { verdict: 'pass' } },
    })
  })
})

import type { JsonObject } from '@trestle/protocol'
import { compact } from '../../json/json.ts'
import { explainSes, toAwsAuth } from './aws.ts'
import {
  type MailAddress,
  readAddresses,
  readFiles,
  readHeaders,
  toEncodedWord,
  writeAddresses,
} from './mail-fields.ts'
import { explainBrevo, explainResend } from './mail-refusals.ts'
import type { ProviderApi } from './provider-api.ts'

const json = { 'content-type': 'application/json' }
const mail = { channel: 'email', needs: ['apiKey'] } as const

const toPeople = (value: unknown): readonly JsonObject[] | undefined => {
  const list = readAddresses(value).map(toPerson)
  return list.length === 0 ? undefined : list
}
const toPerson = ({ address, name }: MailAddress): JsonObject => ({ email: address, ...(name === '' ? {} : { name }) })
const filled = <T>(list: readonly T[]): readonly T[] | undefined => (list.length === 0 ? undefined : list)
const toRecord = (pairs: ReturnType<typeof readHeaders>): JsonObject | undefined =>
  pairs.length === 0 ? undefined : Object.fromEntries(pairs)

/** APIs of email providers, by provider id. */
export const mailApis: Readonly<Record<string, ProviderApi>> = {
  sendgrid: {
    ...mail,
    baseUrl: 'https://api.sendgrid.com',
    path: '/v3/mail/send',
    headers: { ...json, authorization: 'Bearer {apiKey}' },
    idPath: 'header:x-message-id',
    toBody: ({ mail: fields }) =>
      compact({
        personalizations: [
          compact({ to: toPeople(fields['to']), cc: toPeople(fields['cc']), bcc: toPeople(fields['bcc']) }),
        ],
        from: toPeople(fields['from'])?.[0],
        reply_to: toPeople(fields['replyTo'])?.[0],
        subject: fields['subject'],
        content: [
          { type: 'text/plain', value: fields['text'] || ' ' },
          { type: 'text/html', value: fields['html'] || ' ' },
        ],
        headers: toRecord(readHeaders(fields)),
        attachments: filled(readFiles(fields).map(({ name, content, type }) => ({ filename: name, content, type }))),
      }),
  },
  resend: {
    ...mail,
    baseUrl: 'https://api.resend.com',
    path: '/emails',
    headers: { ...json, authorization: 'Bearer {apiKey}' },
    recognizesRepeats: 'provider',
    idPath: 'id',
    explain: explainResend,
    toBody: ({ mail: fields }) =>
      compact({
        from: writeAddresses(fields['from']),
        to: readAddresses(fields['to']).map(({ address }) => address),
        cc: filled(readAddresses(fields['cc']).map(({ address }) => address)),
        bcc: filled(readAddresses(fields['bcc']).map(({ address }) => address)),
        reply_to: writeAddresses(fields['replyTo']),
        subject: fields['subject'],
        html: fields['html'],
        text: fields['text'],
        headers: toRecord(readHeaders(fields)),
        attachments: filled(readFiles(fields).map(({ name, content }) => ({ filename: name, content }))),
      }),
  },
  postmark: {
    ...mail,
    baseUrl: 'https://api.postmarkapp.com',
    path: '/email',
    headers: { ...json, 'x-postmark-server-token': '{apiKey}' },
    idPath: 'MessageID',
    toBody: ({ mail: fields }) =>
      compact({
        From: writeAddresses(fields['from']),
        To: writeAddresses(fields['to']),
        Cc: writeAddresses(fields['cc']),
        Bcc: writeAddresses(fields['bcc']),
        ReplyTo: writeAddresses(fields['replyTo']),
        Subject: fields['subject'],
        HtmlBody: fields['html'],
        TextBody: fields['text'],
        Headers: filled(readHeaders(fields).map(([Name, Value]) => ({ Name, Value }))),
        Attachments: filled(
          readFiles(fields).map(({ name, content, type }) => ({ Name: name, Content: content, ContentType: type })),
        ),
      }),
  },
  sendinblue: {
    ...mail,
    baseUrl: 'https://api.brevo.com',
    path: '/v3/smtp/email',
    headers: { ...json, 'api-key': '{apiKey}' },
    keyPath: ['headers', 'idempotencyKey'],
    recognizesRepeats: 'provider',
    idPath: 'messageId',
    explain: explainBrevo,
    toBody: ({ mail: fields }) =>
      compact({
        sender: toPeople(fields['from'])?.[0],
        to: toPeople(fields['to']),
        cc: toPeople(fields['cc']),
        bcc: toPeople(fields['bcc']),
        replyTo: toPeople(fields['replyTo'])?.[0],
        subject: fields['subject'],
        htmlContent: fields['html'],
        textContent: fields['text'],
        headers: toRecord(readHeaders(fields)),
        attachment: filled(readFiles(fields).map(({ name, content }) => ({ name, content }))),
      }),
  },
  mailgun: {
    channel: 'email',
    needs: ['apiKey', 'domain'],
    baseUrl: 'https://api.mailgun.net',
    path: '/v3/{domain}/messages',
    headers: { authorization: 'basic(api:{apiKey})' },
    // With files, the body would have a different format.
    encoding: 'form',
    idPath: 'id',
    toBody: ({ mail: fields }) =>
      compact({
        from: writeAddresses(fields['from']),
        to: writeAddresses(fields['to']),
        cc: writeAddresses(fields['cc']),
        bcc: writeAddresses(fields['bcc']),
        'h:Reply-To': writeAddresses(fields['replyTo']),
        subject: fields['subject'],
        html: fields['html'],
        text: fields['text'],
        ...Object.fromEntries(readHeaders(fields).map(([name, value]) => [`h:${name}`, value])),
      }),
  },
  ses: {
    channel: 'email',
    needs: ['apiKey', 'secretKey', 'region'],
    baseUrl: 'https://email.{region}.amazonaws.com',
    path: '/v2/email/outbound-emails',
    headers: json,
    idPath: 'MessageId',
    toAuth: (credentials) => toAwsAuth(credentials, 'ses'),
    explain: explainSes,
    toBody: ({ mail: fields }, { configurationSet }) =>
      compact({
        FromEmailAddress: writeAddresses(fields['from'], toEncodedWord),
        Destination: compact({
          ToAddresses: toTexts(fields['to']),
          CcAddresses: toTexts(fields['cc']),
          BccAddresses: toTexts(fields['bcc']),
        }),
        ReplyToAddresses: toTexts(fields['replyTo']),
        ConfigurationSetName: configurationSet || undefined,
        Content: {
          Simple: compact({
            Subject: toUtf8(fields['subject']),
            Body: { Html: toUtf8(fields['html']), Text: toUtf8(fields['text']) },
            Headers: filled(readHeaders(fields).map(([Name, Value]) => ({ Name, Value }))),
            Attachments: filled(
              readFiles(fields).map(({ name, content, type }) => ({
                FileName: name,
                RawContent: content,
                ContentType: type,
                ContentTransferEncoding: 'BASE64',
              })),
            ),
          }),
        },
      }),
  },
}

const toUtf8 = (value: unknown): JsonObject => ({ Data: String(value ?? ''), Charset: 'UTF-8' })

/** Returns addresses for SES, which only accepts ASCII, so a name with other characters is encoded as in a header. */
const toTexts = (value: unknown): readonly string[] | undefined =>
  filled(readAddresses(value).flatMap((one) => writeAddresses(one, toEncodedWord) ?? []))

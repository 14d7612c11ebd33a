import type { JsonObject } from '@trestle/protocol'
import { compact } from '../../json/json.ts'
import { explainSes, toAwsAuth } from './aws.ts'
import {
  listAddresses,
  type MailAddress,
  readAddresses,
  readBody,
  readFiles,
  readHeaders,
  toEncodedWord,
  toPlainName,
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

/** Returns headers as an object. The values of a repeated header are joined, because an object has only one of each. */
function toRecord(pairs: ReturnType<typeof readHeaders>): JsonObject | undefined {
  const merged = new Map<string, readonly [name: string, value: string]>()
  for (const [name, value] of pairs) {
    const key = name.toLowerCase()
    const before = merged.get(key)
    merged.set(key, before ? [before[0], `${before[1]}, ${value}`] : [name, value])
  }
  return merged.size === 0 ? undefined : Object.fromEntries(merged.values())
}

/** SendGrid rejects a mail with both fields, so those of an override replace the address of the mail. */
function toReplyTo(value: unknown, overrides: JsonObject): JsonObject {
  const [first, ...rest] = toPeople(value) ?? []
  if (first === undefined || 'reply_to' in overrides || 'reply_to_list' in overrides) return {}
  return rest.length === 0 ? { reply_to: first } : { reply_to_list: [first, ...rest] }
}

function findUnsupportedByBrevo(mail: JsonObject): string | undefined {
  if (readFiles(mail).some(({ cid }) => cid !== undefined))
    return 'The API of Brevo does not support images in the body ("cid"). Link to the image, or use the SMTP server of Brevo.'
  return readAddresses(mail['replyTo']).length > 1
    ? 'The API of Brevo supports only one address as "replyTo". Remove the others, or use the SMTP server of Brevo.'
    : undefined
}

/** APIs of email providers, by provider id. */
export const mailApis: Readonly<Record<string, ProviderApi>> = {
  sendgrid: {
    ...mail,
    baseUrl: 'https://api.sendgrid.com',
    path: '/v3/mail/send',
    headers: { ...json, authorization: 'Bearer {apiKey}' },
    idPath: 'header:x-message-id',
    toBody: ({ mail: fields }, _credentials, overrides) =>
      compact({
        personalizations: [
          compact({ to: toPeople(fields['to']), cc: toPeople(fields['cc']), bcc: toPeople(fields['bcc']) }),
        ],
        from: toPeople(fields['from'])?.[0],
        ...toReplyTo(fields['replyTo'], overrides),
        subject: readBody(fields['subject']),
        content: [
          { type: 'text/plain', value: readBody(fields['text']) || ' ' },
          { type: 'text/html', value: readBody(fields['html']) || ' ' },
        ],
        headers: toRecord(readHeaders(fields)),
        attachments: filled(
          readFiles(fields).map(({ name, content, type, cid, isInline }) =>
            compact({
              ...{ filename: name, content, type, content_id: cid },
              disposition: isInline ? 'inline' : undefined,
            }),
          ),
        ),
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
        from: writeAddresses(fields['from'], toPlainName),
        to: listAddresses(fields['to'], toPlainName),
        cc: filled(listAddresses(fields['cc'], toPlainName)),
        bcc: filled(listAddresses(fields['bcc'], toPlainName)),
        reply_to: filled(listAddresses(fields['replyTo'], toPlainName)),
        subject: readBody(fields['subject']),
        html: readBody(fields['html']),
        text: readBody(fields['text']),
        headers: toRecord(readHeaders(fields)),
        attachments: filled(
          readFiles(fields).map(({ name, content, type, cid }) =>
            compact({ filename: name, content, content_type: type, content_id: cid }),
          ),
        ),
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
        Subject: readBody(fields['subject']),
        HtmlBody: readBody(fields['html']),
        TextBody: readBody(fields['text']),
        Headers: filled(readHeaders(fields).map(([Name, Value]) => ({ Name, Value }))),
        Attachments: filled(
          readFiles(fields).map(({ name, content, type, cid }) =>
            compact({ Name: name, Content: content, ContentType: type, ContentID: cid && `cid:${cid}` }),
          ),
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
    findUnsupported: findUnsupportedByBrevo,
    toBody: ({ mail: fields }) =>
      compact({
        sender: toPeople(fields['from'])?.[0],
        to: toPeople(fields['to']),
        cc: toPeople(fields['cc']),
        bcc: toPeople(fields['bcc']),
        replyTo: toPeople(fields['replyTo'])?.[0],
        subject: readBody(fields['subject']),
        htmlContent: readBody(fields['html']),
        textContent: readBody(fields['text']),
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
        subject: readBody(fields['subject']),
        html: readBody(fields['html']),
        text: readBody(fields['text']),
        ...Object.fromEntries(
          Object.entries(toRecord(readHeaders(fields)) ?? {}).map(([name, value]) => [`h:${name}`, value]),
        ),
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
            Subject: toUtf8(readBody(fields['subject'])),
            Body: { Html: toUtf8(readBody(fields['html'])), Text: toUtf8(readBody(fields['text'])) },
            Headers: filled(readHeaders(fields).map(([Name, Value]) => ({ Name, Value }))),
            Attachments: filled(
              readFiles(fields).map(({ name, content, type, cid, isInline }) =>
                compact({
                  ...{ FileName: name, RawContent: content, ContentType: type, ContentId: cid },
                  ContentDisposition: isInline ? 'INLINE' : undefined,
                  ContentTransferEncoding: 'BASE64',
                }),
              ),
            ),
          }),
        },
      }),
  },
}

const toUtf8 = (text = ''): JsonObject => ({ Data: text, Charset: 'UTF-8' })

/** Returns addresses for SES, which only accepts ASCII, so a name with other characters is encoded as in a header. */
const toTexts = (value: unknown): readonly string[] | undefined => filled(listAddresses(value, toEncodedWord))

import type { JsonObject } from '@trestle/protocol'
import { compact, readText } from '../../json/json.ts'
import type { ExpectedAnswer } from '../base/delivery.ts'
import { explainSns, toAwsAuth } from './aws.ts'
import { isGsmText } from './gsm-text.ts'
import type { ProviderApi } from './provider-api.ts'

const json = { 'content-type': 'application/json' }

/** The statuses of Vonage that do not reject the message or its recipient. */
const vonageMeanings: ExpectedAnswer['meanings'] = {
  // Throttled, too many connections, communication failed.
  ...{ '1': 'temporary', '10': 'temporary', '13': 'temporary' },
  // An internal error, which may occur after the message was accepted.
  '5': 'unknown',
  // Credentials, account barred, no credit, account not enabled, signature.
  ...{ '4': 'integration', '8': 'integration', '9': 'integration', '11': 'integration', '14': 'integration' },
  // The sender is not authorized, the account lacks a facility, a secret instead of a signature.
  ...{ '15': 'integration', '19': 'integration', '32': 'integration' },
}

/** APIs of SMS providers, by provider id. */
export const smsApis: Readonly<Record<string, ProviderApi>> = {
  twilio: {
    channel: 'sms',
    needs: ['accountSid', 'token'],
    baseUrl: 'https://api.twilio.com',
    path: '/2010-04-01/Accounts/{accountSid}/Messages.json',
    headers: { authorization: 'basic({accountSid}:{token})' },
    encoding: 'form',
    idPath: 'sid',
    toBody: ({ to, from, text }, { statusCallback }) =>
      compact({ To: to, From: from, Body: text, StatusCallback: statusCallback || undefined }),
  },
  nexmo: {
    channel: 'sms',
    needs: ['apiKey', 'secretKey'],
    baseUrl: 'https://rest.nexmo.com',
    path: '/sms/json',
    headers: {},
    encoding: 'form',
    idPath: 'messages.0.message-id',
    // The provider always returns 200, even if it rejects the message.
    expects: { list: 'messages', field: 'status', value: '0', reason: 'error-text', meanings: vonageMeanings },
    toBody: ({ to, from, text }, { apiKey, secretKey }, fields) =>
      compact({
        ...{ api_key: apiKey, api_secret: secretKey, to: to.replace(/^\+/, ''), from, text },
        // With "text", Vonage replaces each character outside of the GSM alphabet with a question mark.
        type: isGsmText(readText(fields['text']) ?? text) ? 'text' : 'unicode',
      }),
  },
  telnyx: {
    channel: 'sms',
    needs: ['apiKey'],
    baseUrl: 'https://api.telnyx.com',
    path: '/v2/messages',
    headers: { ...json, authorization: 'Bearer {apiKey}' },
    recognizesRepeats: 'provider',
    idPath: 'data.id',
    toBody: ({ to, from, text }, { messageProfileId }) =>
      compact({ to, from, text, messaging_profile_id: messageProfileId || undefined }),
  },
  sns: {
    channel: 'sms',
    needs: ['apiKey', 'secretKey', 'region'],
    baseUrl: 'https://sns.{region}.amazonaws.com',
    path: '/',
    headers: {},
    encoding: 'form',
    idPath: 'xml:MessageId',
    mayLackSender: true,
    toAuth: (credentials) => toAwsAuth(credentials, 'sns'),
    explain: explainSns,
    toBody: ({ to, from, text }) => ({
      Action: 'Publish',
      Version: '2010-03-31',
      PhoneNumber: to,
      Message: text,
      ...toAttributes(
        compact({
          'AWS.SNS.SMS.SMSType': 'Transactional',
          [/^\+?\d{4,}$/.test(from ?? '') ? 'AWS.MM.SMS.OriginationNumber' : 'AWS.SNS.SMS.SenderID']: from,
        }),
      ),
    }),
  },
}

/** Returns message attributes as form fields. */
function toAttributes(attributes: JsonObject): JsonObject {
  const fields = Object.entries(attributes).flatMap(([name, value], index) => {
    const start = `MessageAttributes.entry.${index + 1}`
    return [
      [`${start}.Name`, name],
      [`${start}.Value.DataType`, 'String'],
      [`${start}.Value.StringValue`, value],
    ]
  })
  return Object.fromEntries(fields)
}

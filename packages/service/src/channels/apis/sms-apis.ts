import { compact } from '../../json/json.ts'
import type { ProviderApi } from './provider-api.ts'

const json = { 'content-type': 'application/json' }

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
    toBody: ({ to, from, text }) => compact({ To: to, From: from, Body: text }),
  },
  nexmo: {
    channel: 'sms',
    needs: ['apiKey', 'secretKey'],
    baseUrl: 'https://rest.nexmo.com',
    path: '/sms/json',
    headers: {},
    encoding: 'form',
    idPath: 'messages.0.message-id',
    // It always answers 200, whatever happened to the message.
    expects: { list: 'messages', field: 'status', value: '0', reason: 'error-text' },
    toBody: ({ to, from, text }, { apiKey, secretKey }) =>
      compact({ api_key: apiKey, api_secret: secretKey, to: to.replace(/^\+/, ''), from, text, type: 'unicode' }),
  },
  telnyx: {
    channel: 'sms',
    needs: ['apiKey'],
    baseUrl: 'https://api.telnyx.com',
    path: '/v2/messages',
    headers: { ...json, authorization: 'Bearer {apiKey}' },
    idPath: 'data.id',
    toBody: ({ to, from, text }, { messageProfileId }) =>
      compact({ to, from, text, messaging_profile_id: messageProfileId || undefined }),
  },
}

import type { ProviderApi } from './provider-api.ts'

const json = { 'content-type': 'application/json' }

/** APIs of push providers, by provider id. */
export const pushApis: Readonly<Record<string, ProviderApi>> = {
  expo: {
    channel: 'push',
    needs: [],
    baseUrl: 'https://exp.host',
    path: '/--/api/v2/push/send',
    headers: { ...json, authorization: 'Bearer {apiKey}' },
    idPath: 'data.0.id',
    expects: { list: 'data', field: 'status', value: 'ok', reason: 'message' },
    toBody: ({ deviceTokens, title, text }) => ({ to: deviceTokens, title, body: text }),
  },
  'one-signal': {
    channel: 'push',
    needs: ['applicationId', 'apiKey'],
    baseUrl: 'https://api.onesignal.com',
    path: '/notifications?c=push',
    headers: { ...json, authorization: 'Key {apiKey}' },
    keyPath: ['idempotency_key'],
    idPath: 'id',
    toBody: ({ deviceTokens, title, text }, { applicationId }) => ({
      app_id: applicationId,
      target_channel: 'push',
      include_subscription_ids: deviceTokens,
      headings: { en: title },
      contents: { en: text },
    }),
  },
}

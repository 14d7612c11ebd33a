import { explainApns, findAppleFault, toAppleAuth } from './apple.ts'
import { expandServiceAccount, explainFcm, findServiceAccountFault, toGoogleAuth } from './google.ts'
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
    expects: {
      ...{ list: 'data', field: 'status', value: 'ok', reason: 'message', codePath: 'details.error' },
      // The credentials are those with which Expo signs in to FCM and APNs.
      meanings: {
        MessageRateExceeded: 'temporary',
        InvalidCredentials: 'integration',
        MismatchSenderId: 'integration',
      },
    },
    toBody: ({ deviceTokens, title, text }) => ({ to: deviceTokens, title, body: text }),
  },
  'one-signal': {
    channel: 'push',
    needs: ['applicationId', 'apiKey'],
    baseUrl: 'https://api.onesignal.com',
    path: '/notifications?c=push',
    headers: { ...json, authorization: 'Key {apiKey}' },
    keyPath: ['idempotency_key'],
    recognizesRepeats: 'provider',
    idPath: 'id',
    // A response without an id means that no message was created, for example because no device is subscribed.
    expects: { field: 'id', reason: 'errors' },
    toBody: ({ deviceTokens, title, text }, { applicationId }) => ({
      app_id: applicationId,
      target_channel: 'push',
      include_subscription_ids: deviceTokens,
      headings: { en: title },
      contents: { en: text },
    }),
  },
  fcm: {
    channel: 'push',
    needs: ['serviceAccount'],
    baseUrl: 'https://fcm.googleapis.com',
    path: '/v1/projects/{projectId}/messages:send',
    headers: json,
    // Android replaces a notification that has the same tag, so a resent one is shown once.
    keyPath: ['message', 'android', 'notification', 'tag'],
    recognizesRepeats: 'device',
    idPath: 'name',
    isPerDevice: true,
    root: 'message',
    expand: expandServiceAccount,
    findFault: findServiceAccountFault,
    toAuth: toGoogleAuth,
    explain: explainFcm,
    toBody: ({ deviceTokens, title, text }) => ({
      message: { token: deviceTokens[0] ?? '', notification: { title, body: text } },
    }),
  },
  apns: {
    channel: 'push',
    needs: ['secretKey', 'apiKey', 'projectName', 'applicationId'],
    baseUrl: 'https://api.push.apple.com',
    path: '/3/device/{to}',
    headers: { ...json, 'apns-topic': '{applicationId}', 'apns-push-type': 'alert', 'apns-priority': '10' },
    http2: true,
    // The device shows only one notification per collapse id.
    keyHeaders: ['apns-id', 'apns-collapse-id'],
    recognizesRepeats: 'device',
    idPath: 'header:apns-id',
    isPerDevice: true,
    findFault: findAppleFault,
    toAuth: toAppleAuth,
    explain: explainApns,
    toBody: ({ title, text }) => ({ aps: { alert: { title, body: text } } }),
  },
}

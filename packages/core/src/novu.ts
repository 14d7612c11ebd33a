import type { ServicePreset } from './config/service-preset.ts'

/**
 * The names used by the service of `@novu/framework`, both its cloud and self-hosted deployments. A bridge with this
 * preset is called, synced and configured by that service like a `@novu/framework` bridge.
 *
 * @example
 * import { novu } from '@trestle/core/novu'
 *
 * app.all('/api/novu', serve({ workflows: [orderShipped], service: novu }))
 */
export const novu: ServicePreset = Object.freeze({
  signatureHeader: 'novu-signature',
  variables: Object.freeze({
    secretKey: ['NOVU_SECRET_KEY', 'NOVU_API_KEY'],
    strictAuthentication: ['NOVU_STRICT_AUTHENTICATION_ENABLED'],
    apiUrl: ['NOVU_API_URL'],
  }),
  apiUrl: 'https://api.novu.co',
  // The forms of the legacy service support only objects.
  noSchema: Object.freeze({ type: 'object', properties: {}, required: [], additionalProperties: false }),
  // A message that was sent in the past must not fail because of an extra field.
  dropsUnknown: true,
  // The legacy service shows a failure's message only if it recognizes the code; its further behavior depends only on
  // the status.
  errorCodes: Object.freeze({
    RequestBodyInvalidError: 'BridgeError',
    PayloadTooLarge: 'BridgeError',
    WorkflowPayloadInvalidError: 'ExecutionEventPayloadInvalidError',
    WorkflowExecutionFailedError: 'BridgeError',
    WorkflowDiscoveryFailedError: 'BridgeError',
    StepExecutionTimeoutError: 'StepExecutionFailedError',
    AgentNotFoundError: 'BridgeError',
    AgentAlreadyExistsError: 'BridgeError',
    AgentBusyError: 'BridgeError',
    NonceStoreUnavailableError: 'BridgeError',
    ApiRequestFailedError: 'BridgeError',
  }),
})

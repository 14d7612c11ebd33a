import type { ServicePreset } from './config/service-preset.ts'

/**
 * The names of the service that `@novu/framework` is made for, its cloud and deployments of one's own. A bridge with
 * them is called, synced and configured by that service as the former bridge was.
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
  // Its forms support only objects.
  noSchema: Object.freeze({ type: 'object', properties: {}, required: [], additionalProperties: false }),
  // A message that used to be sent must not fail because of an extra field.
  dropsUnknown: true,
  // That service shows a failure's message only if it knows the code; what it does next depends on the status alone.
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

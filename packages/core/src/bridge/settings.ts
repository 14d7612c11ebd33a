import { signatureHeader } from '@trestle/protocol'
import { toSecrets } from '../config/authentication.ts'
import type { ServicePreset } from '../config/service-preset.ts'
import type { AllowedOrigins, BridgeOptions, NonceStore, TurnLimits, WaitUntil } from './bridge-options.ts'

const defaultMaxBodyBytes = 10 * 1024 * 1024
const defaultTimeoutMs = 4500

/** The options of a bridge, with their defaults filled in. */
export interface Settings extends Pick<BridgeOptions, 'strictAuthentication' | 'apiUrl' | 'hooks'> {
  /** The secrets of the option `secretKey`, newest first. */
  readonly secrets: readonly string[]
  /** The headers that may carry the signature, in lowercase. */
  readonly signatureHeaders: readonly string[]
  readonly service: ServicePreset | undefined
  readonly maxBodyBytes: number
  readonly timeoutMs: number
  readonly exposeCode: boolean
  readonly cors: AllowedOrigins | undefined
  readonly nonceStore: NonceStore | undefined
  readonly turnLimits: TurnLimits | undefined
  readonly waitUntil: WaitUntil | undefined
}

/**
 * Fills in the defaults of a bridge's options.
 *
 * @param options - The validated options.
 */
export function resolveSettings(options: BridgeOptions): Settings {
  return Object.freeze({
    secrets: toSecrets(options.secretKey),
    strictAuthentication: options.strictAuthentication,
    apiUrl: options.apiUrl,
    hooks: options.hooks,
    signatureHeaders: toSignatureHeaders(options),
    service: options.service,
    maxBodyBytes: options.maxBodyBytes ?? defaultMaxBodyBytes,
    timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
    exposeCode: options.exposeCode ?? false,
    cors: options.cors,
    nonceStore: options.nonceStore,
    turnLimits: options.turnLimits,
    waitUntil: options.waitUntil,
  }) as Settings
}

/**
 * Returns the accepted headers. The option sets the only header; a preset's header is accepted in addition to the
 * default one, so that both services can call.
 */
function toSignatureHeaders(options: BridgeOptions): readonly string[] {
  const names = options.signatureHeader
    ? [options.signatureHeader]
    : [...(options.service ? [options.service.signatureHeader] : []), signatureHeader]
  return [...new Set(names.map((name) => name.toLowerCase()))]
}

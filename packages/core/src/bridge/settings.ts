import { signatureHeader } from '@trestle/protocol'
import type { AllowedOrigins, BridgeOptions, NonceStore, TurnLimits, WaitUntil } from './bridge-options.ts'

const defaultMaxBodyBytes = 10 * 1024 * 1024
const defaultTimeoutMs = 4500

/** The options of a bridge, with their defaults filled in. */
export interface Settings extends Pick<BridgeOptions, 'secretKey' | 'strictAuthentication' | 'apiUrl' | 'hooks'> {
  readonly signatureHeader: string
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
 * @param options - As the user wrote them, checked.
 */
export function resolveSettings(options: BridgeOptions): Settings {
  return Object.freeze({
    secretKey: options.secretKey,
    strictAuthentication: options.strictAuthentication,
    apiUrl: options.apiUrl,
    hooks: options.hooks,
    signatureHeader: (options.signatureHeader ?? signatureHeader).toLowerCase(),
    maxBodyBytes: options.maxBodyBytes ?? defaultMaxBodyBytes,
    timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
    exposeCode: options.exposeCode ?? false,
    cors: options.cors,
    nonceStore: options.nonceStore,
    turnLimits: options.turnLimits,
    waitUntil: options.waitUntil,
  }) as Settings
}

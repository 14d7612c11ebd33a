import { signatureHeader } from '@trestle/protocol'
import type { AllowedOrigins, BridgeOptions, NonceStore } from './bridge-options.ts'

const defaultMaxBodyBytes = 10 * 1024 * 1024
const defaultTimeoutMs = 4500
// What a timer can hold; beyond it timers fire at once.
const maxTimeoutMs = 2 ** 31 - 1

/** The options of a bridge, with their defaults filled in. */
export interface Settings extends Pick<BridgeOptions, 'secretKey' | 'strictAuthentication' | 'apiUrl' | 'hooks'> {
  readonly signatureHeader: string
  readonly maxBodyBytes: number
  readonly timeoutMs: number
  readonly exposeCode: boolean
  readonly cors: AllowedOrigins | undefined
  readonly nonceStore: NonceStore | undefined
}

/**
 * Fills in the defaults of a bridge's options.
 *
 * @param options - As the user gave them.
 * @throws TypeError - A limit is no number above 0.
 */
export function resolveSettings(options: BridgeOptions): Settings {
  return Object.freeze({
    secretKey: options.secretKey,
    strictAuthentication: options.strictAuthentication,
    apiUrl: options.apiUrl,
    hooks: options.hooks,
    signatureHeader: (options.signatureHeader ?? signatureHeader).toLowerCase(),
    maxBodyBytes: positive('maxBodyBytes', options.maxBodyBytes ?? defaultMaxBodyBytes),
    timeoutMs: positive('timeoutMs', options.timeoutMs ?? defaultTimeoutMs, maxTimeoutMs),
    exposeCode: options.exposeCode ?? false,
    cors: options.cors,
    nonceStore: options.nonceStore,
  }) as Settings
}

function positive(name: string, value: number, most = Number.MAX_SAFE_INTEGER): number {
  if (value > 0 && value <= most) return value
  throw new TypeError(`The option ${name} must be a number above 0 and at most ${most}; got ${String(value)}.`)
}

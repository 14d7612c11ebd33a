import { isLoopback } from './is-loopback.ts'
import { SettingsError } from './settings-error.ts'
import type { SettingOf } from './shape/kinds.ts'
import type { shape } from './shape/shape.ts'

type Shape = typeof shape
type Raw = { readonly [K in 'accounts' | 'oidc' | 'publicUrl' | 'host']: SettingOf<Shape[K]> }

/** The settings of accounts. */
export type AccountSettings = SettingOf<Shape['accounts']>

/** The settings of the OpenID provider, if there is one. */
export type OidcSettings = SettingOf<Shape['oidc']> & { readonly issuer: string; readonly clientId: string }

/**
 * Returns the settings of accounts and of the OpenID provider.
 *
 * @throws {SettingsError} They are unsafe or contradict each other.
 */
export function readAccounts(raw: Raw): {
  readonly accounts: AccountSettings
  readonly oidc: OidcSettings | undefined
} {
  if (!raw.accounts.enabled) {
    if (raw.oidc.issuer !== undefined) throw new SettingsError('oidc.issuer: needs accounts (SERVICE_ACCOUNTS=true)')
    return { accounts: raw.accounts, oidc: undefined }
  }
  const url = raw.accounts.url ?? raw.publicUrl
  if (url === undefined && !isLoopback(raw.host))
    throw new SettingsError(
      'accounts.url: needs the https address at which browsers reach the service (SERVICE_STUDIO_URL)',
    )
  if (url !== undefined) {
    checkSecure('accounts.url', url)
    if (new URL(url).pathname !== '/')
      throw new SettingsError(
        `accounts.url: must have no path, because the studio is at /studio/; it is ${JSON.stringify(url)}`,
      )
  }
  return { accounts: { ...raw.accounts, url }, oidc: toOidc(raw) }
}

function toOidc({ oidc }: Raw): OidcSettings | undefined {
  const { issuer, clientId } = oidc
  if (issuer === undefined) return undefined
  checkSecure('oidc.issuer', issuer)
  if (clientId === undefined || clientId === '') throw new SettingsError('oidc.clientId: is needed with oidc.issuer')
  if (oidc.role !== 'none' && oidc.domains.length === 0)
    throw new SettingsError('oidc.role: needs oidc.domains, or every account of the provider could sign in')
  return { ...oidc, issuer, clientId }
}

/** Browsers on the machine itself treat its loopback as secure. */
function checkSecure(option: string, text: string): void {
  const { protocol, hostname } = new URL(text)
  if (protocol === 'https:' || isLoopback(hostname.replace(/^\[|\]$/g, ''))) return
  throw new SettingsError(`${option}: must be an https URL; it is ${JSON.stringify(text)}`)
}

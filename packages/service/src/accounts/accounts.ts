import type { AccountSettings, OidcSettings } from '../config/people-settings.ts'
import type { Settings } from '../config/settings.ts'
import type { Store } from '../store/store.ts'
import { type Audit, createAudit } from './base/audit.ts'
import { type Attempts, createAttempts } from './sign-in/attempts.ts'
import { createOidcProvider, type OidcProvider } from './sign-in/oidc-provider.ts'
import { createPasswords, type Passwords } from './sign-in/passwords.ts'
import { type AccountSessions, createAccountSessions } from './sign-in/sessions.ts'

/** The accounts of the people who use the studio, and their sign-in. */
export interface Accounts {
  readonly settings: AccountSettings
  readonly oidc: OidcSettings | undefined
  /** The OpenID provider, if one is configured. */
  readonly provider: OidcProvider | undefined
  readonly passwords: Passwords
  readonly attempts: Attempts
  readonly sessions: AccountSessions
  readonly audit: Audit
  /** Returns the URL of the service for browsers, without a trailing slash. It never comes from a request. */
  readonly url: () => string
  /** Sets the listening address. A URL in the settings takes precedence. */
  readonly listensAt: (url: string) => void
}

/** Dependencies of accounts. */
export interface AccountPorts {
  readonly store: Store
  /** Returns the time, in milliseconds since 1970. */
  readonly now: () => number
  /** Receives errors that occur when an outcome cannot be written to the audit log. */
  readonly onError: (error: unknown) => void
}

/** Creates the accounts; undefined if they are turned off. */
export async function createAccounts(
  { accounts: settings, oidc }: Pick<Settings, 'accounts' | 'oidc'>,
  { store, now, onError }: AccountPorts,
): Promise<Accounts | undefined> {
  if (!settings.enabled) return undefined
  let url = settings.url
  return {
    settings,
    oidc,
    provider: oidc && createOidcProvider(oidc),
    passwords: await createPasswords(),
    attempts: createAttempts(store, now),
    sessions: createAccountSessions(store, settings, now),
    audit: createAudit({ db: store.db, now, onError }),
    url() {
      if (url === undefined) throw new Error('The service is not listening yet.')
      return url.replace(/\/+$/, '')
    },
    listensAt(listening) {
      url ??= listening
    },
  }
}

import { ApiError } from '../../api/api-error.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { Session } from '../../store/store.ts'
import { toEmail } from '../base/email.ts'
import { createToken } from '../base/secret-token.ts'
import type { Attempted, Attempts } from './attempts.ts'
import type { Passwords } from './passwords.ts'

/** Dependencies for signing in. */
export interface SignInPorts {
  readonly db: Session
  readonly vault: Vault
  readonly passwords: Passwords
  readonly attempts: Attempts
}

/** An attempt to sign in with a password. */
export interface PasswordAttempt {
  readonly email: string
  readonly password: string
  /** The address of the caller. */
  readonly address: string
  /** The mark that {@link markBrowser} created for this browser, if the account has signed in with it before. */
  readonly browserMark: string | undefined
}

/** An account whose password was checked. */
export interface CheckedAccount {
  readonly accountId: string
  readonly passwordHash: string
}

/**
 * Returns the account for an email address and a password, with the hash of the password that was checked.
 *
 * @throws {ApiError} The same 401 for an unknown address, a wrong password and a disabled account. 429 after too many
 * attempts.
 */
export async function checkSignIn(ports: SignInPorts, attempt: PasswordAttempt): Promise<CheckedAccount> {
  const { db, attempts, passwords } = ports
  const email = toEmail(attempt.email)
  const account = await db
    .selectFrom('accounts')
    .select(['id', 'passwordHash', 'status'])
    .where('email', '=', email)
    .executeTakeFirst()
  const browser = account && readMark(ports.vault, attempt.browserMark, account.id)
  const own: Attempted = browser === undefined ? { kind: 'account', name: email } : { kind: 'browser', name: browser }
  const network: Attempted = { kind: 'address', name: attempt.address }
  await attempts.take(network, own)
  const fits = await passwords.verify(account?.passwordHash ?? null, attempt.password)
  if (!account?.passwordHash || !fits || account.status !== 'active')
    throw new ApiError(401, 'The email address or password is wrong, or the account is disabled.')
  await attempts.giveBack(network)
  await attempts.giveBack(own)
  return { accountId: account.id, passwordHash: account.passwordHash }
}

/** Binds the encryption of marks, which are not stored in a table. */
const place = { table: 'known browser', column: 'cookie', key: [] } as const

/** Returns a token that marks a browser in which an account has signed in. It grants no access. */
export const markBrowser = (vault: Vault, accountId: string): string =>
  vault.for('known-browser').seal(JSON.stringify([accountId, createToken()]), place)

/** Returns whether a mark was created for an account. */
export const isMarkOf = (vault: Vault, mark: string | undefined, accountId: string): boolean =>
  readMark(vault, mark, accountId) !== undefined

function readMark(vault: Vault, mark: string | undefined, accountId: string): string | undefined {
  if (mark === undefined) return undefined
  try {
    const [owner, name]: readonly unknown[] = JSON.parse(vault.for('known-browser').open(mark, place))
    return owner === accountId && typeof name === 'string' ? name : undefined
  } catch {
    return undefined
  }
}

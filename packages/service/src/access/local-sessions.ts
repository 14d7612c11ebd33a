import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** The permissions of a session. */
export interface Grant {
  /** The ids of the session's environments. */
  readonly environmentIds: readonly string[]
  /** The hash of the secret key that opened the session. The session ends when that key is replaced. */
  readonly keyHash?: string | undefined
}

/** The two halves that prove a session. */
export interface SessionProof {
  /** The half for an `HttpOnly` cookie, which scripts cannot read. */
  readonly cookie: string
  /** The half for a header, which other ports on the same host never receive, unlike the cookie. */
  readonly header: string
}

/** The sessions of a local user interface. They are kept in memory and end with the process. */
export interface LocalSessions {
  /** Returns a new single-use token that opens one session. */
  createToken(): string
  /** Redeems a token; returns false if it is unknown or already used. */
  redeem(token: string): boolean
  open(grant: Grant): SessionProof
  /** Returns the permissions of a session; undefined unless both halves belong to an open one. */
  find(cookies: readonly string[], header: string): Grant | undefined
  close(cookies: readonly string[], header: string): void
}

interface Entry {
  readonly grant: Grant
  readonly headerHash: Buffer
  lastUsedMs: number
}

const maxTokens = 100
const maxSessions = 100
const maxIdleMs = 7 * 24 * 60 * 60 * 1000

/** Hashes a secret. Secrets are random and long, so a fast hash is sufficient. Only hashes are stored and looked up. */
const hash = (secret: string): Buffer => createHash('sha256').update(secret).digest()
const createSecret = (): string => randomBytes(32).toString('base64url')

/**
 * Creates the sessions of a process.
 *
 * @param now - Returns the time, in milliseconds since 1970.
 */
export function createLocalSessions(now: () => number): LocalSessions {
  const tokens = new Set<string>()
  const sessions = new Map<string, Entry>()

  const findEntry = (cookies: readonly string[], header: string): readonly [string, Entry] | undefined => {
    const headerHash = hash(header)
    for (const cookie of cookies) {
      const key = hash(cookie).toString('base64')
      const entry = sessions.get(key)
      if (entry && timingSafeEqual(entry.headerHash, headerHash)) return [key, entry]
    }
    return undefined
  }

  return {
    createToken() {
      const token = createSecret()
      tokens.add(hash(token).toString('base64'))
      dropOldest(tokens, maxTokens)
      return token
    },
    redeem: (token) => tokens.delete(hash(token).toString('base64')),
    open(grant) {
      const proof = { cookie: createSecret(), header: createSecret() }
      const entry = { grant, headerHash: hash(proof.header), lastUsedMs: now() }
      sessions.set(hash(proof.cookie).toString('base64'), entry)
      dropOldest(sessions, maxSessions)
      return proof
    },
    find(cookies, header) {
      const [key, entry] = findEntry(cookies, header) ?? []
      if (!key || !entry) return undefined
      if (now() - entry.lastUsedMs > maxIdleMs) {
        sessions.delete(key)
        return undefined
      }
      entry.lastUsedMs = now()
      return entry.grant
    },
    close(cookies, header) {
      const [key] = findEntry(cookies, header) ?? []
      if (key) sessions.delete(key)
    },
  }
}

function dropOldest(kept: Map<string, unknown> | Set<string>, max: number): void {
  for (const key of kept.keys()) {
    if (kept.size <= max) return
    kept.delete(key)
  }
}

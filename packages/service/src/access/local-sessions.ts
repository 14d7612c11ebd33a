import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** What a session may do. */
export interface Grant {
  /** The environments it covers, by id. */
  readonly environmentIds: readonly string[]
  /** The hash of the secret key it was opened with; it ends with that key. */
  readonly keyHash?: string | undefined
}

/** The two halves that prove a session. */
export interface SessionProof {
  /** For an `HttpOnly` cookie: no script reads it. */
  readonly cookie: string
  /** For a header: no other port of the same host is ever sent it, as it would be sent the cookie. */
  readonly header: string
}

/** The sessions of a local user interface. They live in memory and end with the process. */
export interface LocalSessions {
  /** Returns a new token that opens one session, once. */
  createToken(): string
  /** Uses up a token; returns false if it is unknown or was used before. */
  redeem(token: string): boolean
  /** Opens a session. */
  open(grant: Grant): SessionProof
  /** Returns what a session may do; undefined unless both halves belong to one that is open. */
  find(cookies: readonly string[], header: string): Grant | undefined
  /** Ends a session. */
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

/** Secrets are random and long, so a fast hash is enough. Only hashes are kept, and looked up by. */
const hash = (secret: string): Buffer => createHash('sha256').update(secret).digest()
const createSecret = (): string => randomBytes(32).toString('base64url')

/**
 * Creates the sessions of a process.
 *
 * @param now - The time, milliseconds since 1970.
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

/** Computes and compares HMAC-SHA256 over `<prefix><body>`. */
export interface Hmac {
  /** Whether `digest` returns bytes instead of a promise. */
  readonly synchronous: boolean
  /**
   * @param secret - The key, as UTF-8 text; never empty.
   * @param prefix - Text before the body.
   * @param body - The bytes as received, or as they will be sent.
   * @returns The 32 bytes of the MAC.
   */
  digest(secret: string, prefix: string, body: Uint8Array): Uint8Array | Promise<Uint8Array>
  /** Compares two MACs of 32 bytes in constant time. */
  equal(left: Uint8Array, right: Uint8Array): boolean
}

/** The part of `node:crypto` that is used. */
interface NodeCrypto {
  createSecretKey(key: string, encoding: 'utf8'): object
  createHmac(
    algorithm: 'sha256',
    key: object,
  ): {
    update(data: string | Uint8Array): { update(data: Uint8Array): { digest(): Uint8Array } }
  }
  timingSafeEqual(left: Uint8Array, right: Uint8Array): boolean
}

const keptKeys = 16

/**
 * Returns the fastest HMAC of the runtime: `node:crypto`, otherwise WebCrypto.
 *
 * @param nodeCrypto - The module `node:crypto`; `null` forces WebCrypto.
 * @example
 * const mac = await createHmac().digest(secretKey, `${timestamp}.`, body)
 */
export function createHmac(nodeCrypto: unknown = findNodeCrypto()): Hmac {
  return nodeCrypto ? createNodeHmac(nodeCrypto as NodeCrypto) : createWebHmac()
}

function findNodeCrypto(): unknown {
  // Not an import, which a bundler for edge runtimes would have to resolve.
  const host = (globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } }).process
  try {
    return host?.getBuiltinModule?.('node:crypto') ?? null
  } catch {
    // Some edge runtimes throw for unknown modules.
    return null
  }
}

function createNodeHmac(crypto: NodeCrypto): Hmac {
  const keyOf = keep((secret) => crypto.createSecretKey(secret, 'utf8'))
  return {
    synchronous: true,
    digest: (secret, prefix, body) => crypto.createHmac('sha256', keyOf(secret)).update(prefix).update(body).digest(),
    equal: (left, right) => left.length === right.length && crypto.timingSafeEqual(left, right),
  }
}

function createWebHmac(): Hmac {
  const encoder = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const keyOf = keep((secret) => crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']))
  return {
    synchronous: false,
    async digest(secret, prefix, body) {
      const head = encoder.encode(prefix)
      const text = new Uint8Array(head.length + body.length)
      text.set(head)
      text.set(body, head.length)
      return new Uint8Array(await crypto.subtle.sign('HMAC', await keyOf(secret), text))
    },
    equal(left, right) {
      // Compares all bytes without branching, so that the time taken reveals nothing about them.
      let difference = left.length ^ right.length
      for (let index = 0; index < left.length; index++) difference |= (left[index] ?? 0) ^ (right[index] ?? 0)
      return difference === 0
    },
  }
}

/** Caches the keys of the most recent secrets, so that a key is not imported for each call. */
function keep<TKey>(make: (secret: string) => TKey): (secret: string) => TKey {
  const keys = new Map<string, TKey>()
  return (secret) => {
    const cached = keys.get(secret)
    if (cached !== undefined) return cached
    const key = make(secret)
    const oldest = keys.size < keptKeys ? undefined : keys.keys().next().value
    if (oldest !== undefined) keys.delete(oldest)
    keys.set(secret, key)
    return key
  }
}

import type { Configuration, IDToken } from 'openid-client'
import type { OidcSettings } from '../../config/people-settings.ts'

const timeoutSeconds = 10

/** The secrets of one sign-in, which only the browser that started it has. */
export interface FlowSecrets {
  /** Ties the provider's response to this sign-in. */
  readonly state: string
  /** Ties the identity to this sign-in. */
  readonly nonce: string
  /** Proves that the code was requested by this service (PKCE). */
  readonly verifier: string
}

/** The identity confirmed by the provider. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
  readonly email: string | undefined
  /** Whether the provider has verified the email address. */
  readonly isVerified: boolean
  readonly name: string | undefined
}

/** The OpenID provider. */
export interface OidcProvider {
  /**
   * Returns the provider URL that the browser must open, and the secrets of this sign-in.
   *
   * @throws The provider does not respond.
   */
  begin(redirectUri: string): Promise<{ readonly url: string; readonly secrets: FlowSecrets }>
  /**
   * Returns the identity of the person who signed in.
   *
   * @param answer - The URL to which the browser returned: the configured one, with the query of the request.
   * @throws The response belongs to a different sign-in or provider, or the provider does not confirm it.
   */
  finish(answer: URL, secrets: FlowSecrets): Promise<Identity>
}

/**
 * Creates the client of the provider. The library is loaded, and the provider's metadata fetched, at the first sign-in.
 */
export function createOidcProvider(settings: OidcSettings): OidcProvider {
  let cachedConfiguration: Promise<Configuration> | undefined
  const configuration = (): Promise<Configuration> => {
    cachedConfiguration ??= configure(settings).catch((error: unknown) => {
      // The next sign-in retries.
      cachedConfiguration = undefined
      throw error
    })
    return cachedConfiguration
  }
  return {
    async begin(redirectUri) {
      const client = await import('openid-client')
      const config = await configuration()
      const secrets = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      }
      const url = client.buildAuthorizationUrl(config, {
        ...{ redirect_uri: redirectUri, scope: 'openid email profile', state: secrets.state, nonce: secrets.nonce },
        code_challenge: await client.calculatePKCECodeChallenge(secrets.verifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, secrets }
    },
    async finish(answer, { state, nonce, verifier }) {
      const client = await import('openid-client')
      const config = await configuration()
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
      const tokens = await client.authorizationCodeGrant(config, answer, checks)
      const claims = tokens.claims()
      if (!claims) throw new Error('The provider sent no ID token.')
      if (claims['email'] !== undefined || config.serverMetadata().userinfo_endpoint === undefined)
        return toIdentity(claims, claims)
      return toIdentity(claims, await client.fetchUserInfo(config, tokens.access_token, claims.sub))
    },
  }
}

async function configure({ issuer, clientId, clientSecret }: OidcSettings): Promise<Configuration> {
  const client = await import('openid-client')
  // Only an issuer on loopback can lack TLS; the settings ensure this.
  const insecure = new URL(issuer).protocol === 'http:' ? [client.allowInsecureRequests] : []
  const discoveredConfig = await client.discovery(new URL(issuer), clientId, undefined, client.None(), {
    execute: insecure,
    timeout: timeoutSeconds,
  })
  const metadata = discoveredConfig.serverMetadata()
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const proof = methods.includes('client_secret_basic') ? client.ClientSecretBasic : client.ClientSecretPost
  const auth = clientSecret === undefined ? client.None() : proof(clientSecret)
  const config = new client.Configuration(metadata, clientId, undefined, auth)
  for (const apply of [...insecure, client.enableNonRepudiationChecks]) apply(config)
  config.timeout = timeoutSeconds
  return config
}

function toIdentity({ iss, sub }: IDToken, profile: Readonly<Record<string, unknown>>): Identity {
  const read = (name: string): string | undefined => {
    const value = profile[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const isVerified = profile['email_verified'] === true || profile['email_verified'] === 'true'
  return { issuer: iss, subject: sub, email: read('email'), isVerified, name: read('name')?.slice(0, 100) }
}

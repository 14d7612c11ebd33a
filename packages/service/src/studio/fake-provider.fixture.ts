import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the provider does differently from an honest one. */
export interface Deviation {
  /** Overrides claims of the ID token; undefined omits a claim. */
  claims?: Readonly<Record<string, unknown>>
  /** Overrides parameters of the response. */
  answer?: Readonly<Record<string, string>>
  /** Signs with a key that is not published. */
  wrongKey?: boolean
  /** Does not respond. */
  isDown?: boolean
}

/** An OpenID provider on the loopback interface, with one signed-in user. */
export interface FakeProvider {
  readonly issuer: string
  deviation: Deviation
  readonly tokenRequests: URLSearchParams[]
  close(): Promise<void>
}

export const client = { clientId: 'trestle', clientSecret: 'client secret' } as const

interface Grant {
  readonly challenge: string
  readonly nonce: string
  readonly redirectUri: string
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

function toToken(claims: object, key: KeyObject): string {
  const signed = `${encode({ alg: 'RS256', kid: 'one' })}.${encode(claims)}`
  return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), key).toString('base64url')}`
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return new URLSearchParams(Buffer.concat(chunks).toString())
}

export async function startFakeProvider(): Promise<FakeProvider> {
  const [{ privateKey, publicKey }, other] = [1, 2].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 })) as [
    ReturnType<typeof generateKeyPairSync> & { privateKey: KeyObject; publicKey: KeyObject },
    { privateKey: KeyObject },
  ]
  const grants = new Map<string, Grant>()
  const provider = { issuer: '', deviation: {} as Deviation, tokenRequests: [] as URLSearchParams[] }

  const describe = (): object => ({
    issuer: provider.issuer,
    authorization_endpoint: `${provider.issuer}/authorize`,
    token_endpoint: `${provider.issuer}/token`,
    jwks_uri: `${provider.issuer}/keys`,
    ...{ response_types_supported: ['code'], subject_types_supported: ['public'] },
    ...{ id_token_signing_alg_values_supported: ['RS256'], code_challenge_methods_supported: ['S256'] },
    authorization_response_iss_parameter_supported: true,
  })
  const authorize = (query: URLSearchParams): string => {
    const code = randomBytes(16).toString('hex')
    const redirectUri = query.get('redirect_uri') ?? ''
    grants.set(code, {
      challenge: query.get('code_challenge') ?? '',
      nonce: query.get('nonce') ?? '',
      redirectUri,
    })
    const answer = { code, state: query.get('state') ?? '', iss: provider.issuer, ...provider.deviation.answer }
    return `${redirectUri}?${new URLSearchParams(answer)}`
  }
  const exchange = (form: URLSearchParams, authorization: string | undefined): object | undefined => {
    const code = form.get('code') ?? ''
    const grant = grants.get(code)
    grants.delete(code)
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const proof = `Basic ${Buffer.from(`${client.clientId}:${client.clientSecret.replace(' ', '+')}`).toString('base64')}`
    if (!grant || challenge !== grant.challenge || form.get('redirect_uri') !== grant.redirectUri) return undefined
    if (authorization !== proof) return undefined
    const nowSeconds = Math.floor(Date.now() / 1000)
    const claims = {
      ...{ iss: provider.issuer, aud: client.clientId, sub: 'person-1', nonce: grant.nonce },
      ...{ iat: nowSeconds, exp: nowSeconds + 60, email: 'eve@example.com', email_verified: true, name: 'Eve' },
      ...provider.deviation.claims,
    }
    const key = provider.deviation.wrongKey ? other.privateKey : privateKey
    return { access_token: 'access', token_type: 'Bearer', expires_in: 60, id_token: toToken(claims, key) }
  }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://provider')
    const answer = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (provider.deviation.isDown) return void request.socket.destroy()
    if (url.pathname === '/.well-known/openid-configuration') return answer(200, describe())
    if (url.pathname === '/keys')
      return answer(200, { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] })
    if (url.pathname === '/authorize')
      return void response.writeHead(302, { location: authorize(url.searchParams) }).end()
    const form = await readForm(request)
    provider.tokenRequests.push(form)
    const tokens = exchange(form, request.headers.authorization)
    return tokens ? answer(200, tokens) : answer(400, { error: 'invalid_grant' })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  provider.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(provider, {
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}

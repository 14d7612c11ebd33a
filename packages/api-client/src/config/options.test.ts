import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { secretKey } from '../../fixtures/api.ts'
import { createApiClient, isApiError } from '../index.ts'

describe('the address', () => {
  const urlOf = async (options: Partial<Parameters<typeof createApiClient>[0]>) => {
    let url = ''
    const fetch: typeof globalThis.fetch = async (input) => {
      url = String(input)
      return Response.json({})
    }
    await createApiClient({ secretKey, apiUrl: '', fetch, ...options }).feeds.list()
    return url
  }
  const regions = { us: 'https://us.api.test', eu: 'https://eu.api.test' }

  it('is that of the region, the US by default, or of a self-hosted API with its path', async () => {
    expect(await urlOf({ apiUrl: regions })).toBe('https://us.api.test/v1/feeds')
    expect(await urlOf({ apiUrl: regions, region: 'eu' })).toBe('https://eu.api.test/v1/feeds')
    expect(await urlOf({ apiUrl: 'https://host.test:8443/api//' })).toBe('https://host.test:8443/api/v1/feeds')
  })

  it.each([
    [''],
    ['api.test'],
    ['ftp://api.test'],
    ['https://user@api.test'],
    ['https://api.test?x'],
    ['https://api.test#x'],
  ])('is refused when it is "%s"', (apiUrl) => {
    expect(() => createApiClient({ secretKey, apiUrl })).toThrow(/apiUrl must be/)
  })
})

it('refuses a missing address and an unknown region', () => {
  const apiUrl = { us: 'https://us.api.test', eu: 'https://eu.api.test' }
  expect(() => createApiClient({ secretKey, apiUrl: undefined as never })).toThrow(/apiUrl must be/)
  expect(() => createApiClient({ secretKey, apiUrl, region: 'xx' as never })).toThrow(/apiUrl must be/)
})

describe('the package', () => {
  it('refuses to run in a browser', async () => {
    const scope = globalThis as Record<string, unknown>
    scope['window'] = { document: {} }
    try {
      createApiClient({ secretKey, apiUrl: 'https://api.test' })
      expect.unreachable()
    } catch (error) {
      expect(isApiError(error, 'BrowserRefused')).toBe(true)
    } finally {
      delete scope['window']
    }
  })

  it('has no dependency and imports nothing but its own files', () => {
    const root = new URL('../..', import.meta.url)
    expect(JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))).not.toHaveProperty('dependencies')
    const files = readdirSync(new URL('src', root), { recursive: true, encoding: 'utf8' })
    for (const file of files.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))) {
      const source = readFileSync(new URL(`src/${file}`, root), 'utf8')
      for (const [, from = ''] of source.matchAll(/from '([^']+)'/g)) expect(from).toMatch(/^\.\.?\//)
      expect(source).not.toMatch(/\bprocess\.|\bBuffer\b|require\(|import\(/)
    }
  })
})

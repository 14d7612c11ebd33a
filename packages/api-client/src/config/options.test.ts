import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
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

  it('defaults to the US region, and can be another region or a self-hosted API with a path', async () => {
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
  ])('"%s" is rejected', (apiUrl) => {
    expect(() => createApiClient({ secretKey, apiUrl })).toThrow(/apiUrl must be/)
  })
})

it('rejects a missing address and an unknown region', () => {
  const apiUrl = { us: 'https://us.api.test', eu: 'https://eu.api.test' }
  expect(() => createApiClient({ secretKey, apiUrl: undefined as never })).toThrow(/apiUrl must be/)
  expect(() => createApiClient({ secretKey, apiUrl: null as never })).toThrow(/apiUrl must be/)
  expect(() => createApiClient({ secretKey, apiUrl, region: 'xx' as never })).toThrow('region must be "us" or "eu".')
  expect(() => createApiClient({ secretKey, apiUrl, region: '__proto__' as never })).toThrow('region must be')
})

describe('a numeric option', () => {
  const create = (options: object) => () => createApiClient({ secretKey, apiUrl: 'https://api.test', ...options })
  const timer = 2 ** 31 - 1
  const limits = [
    ['timeoutMs', 1, timer],
    ['maxAnswerBytes', 1, Number.MAX_SAFE_INTEGER],
    ['maxRetries', 0, 100],
    ['maxRetryAfterMs', 0, timer],
  ] as const

  it.each(limits)('%s must be an integer from %i to %i', (name, min, max) => {
    for (const value of [min, min + 1, max - 1, max, undefined]) expect(create({ [name]: value })).not.toThrow()
    const wrong = [
      Number.NaN,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      min - 1,
      max + 1,
      min + 0.5,
      -5,
      2 ** 60,
    ]
    for (const value of wrong) {
      const message = `${name} must be an integer from ${min} to ${max}; it is ${value}.`
      expect(create({ [name]: value })).toThrow(expect.objectContaining({ code: 'RequestInvalid', message }))
    }
    for (const value of ['30', null, {}, [30], true, 30n, () => 30]) {
      if (value !== null) expect(create({ [name]: value })).toThrow(`${name} must be an integer`)
    }
  })

  it('accepts no value outside its limits, so that a wrong timer cannot end a call early', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.double(), fc.integer(), fc.anything()),
        fc.constantFrom(...limits),
        (value, [name, min, max]) => {
          const isGood =
            value === undefined ||
            value === null ||
            (Number.isInteger(value) && Number(value) >= min && Number(value) <= max)
          if (isGood) expect(create({ [name]: value })).not.toThrow()
          else expect(create({ [name]: value })).toThrow(expect.objectContaining({ code: 'RequestInvalid' }))
        },
      ),
    )
  })
})

describe('the options', () => {
  const create = (options: object) => () => createApiClient({ secretKey, apiUrl: 'https://api.test', ...options })

  it.each([['fetch'], ['createKey'], ['nowMs'], ['random'], ['sleep'], ['startTimer']])(
    '%s must be a function',
    (name) => {
      for (const value of ['x', 7, {}, true]) expect(create({ [name]: value })).toThrow(`${name} must be a function`)
      expect(create({ [name]: undefined })).not.toThrow()
    },
  )

  it('rejects an unknown name, and lists the options', () => {
    expect(create({ timeout: 5 })).toThrow('"timeout". The options are secretKey, apiUrl, region, timeoutMs,')
    for (const options of [undefined, null, 'x', 7]) {
      expect(() => createApiClient(options as never)).toThrow(
        'createApiClient needs an object with secretKey and apiUrl.',
      )
    }
  })
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

  it('has no dependencies and imports only its own files', () => {
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

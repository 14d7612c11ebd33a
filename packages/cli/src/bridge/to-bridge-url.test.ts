import { describe, expect, it } from 'vitest'
import { toBridgeUrl } from './to-bridge-url.ts'

describe('the address of a bridge', () => {
  it.each([
    ['127.0.0.1:4000', 'http://127.0.0.1:4000/api/bridge', true],
    ['http://127.0.0.1:4000', 'http://127.0.0.1:4000/api/bridge', true],
    ['http://127.0.0.1:4000/', 'http://127.0.0.1:4000/', true],
    ['http://[::1]:4000/bridge', 'http://[::1]:4000/bridge', true],
    ['http://127.1/bridge', 'http://127.0.0.1/bridge', true],
    ['https://app.example.com/api/bridge?tenant=a#top', 'https://app.example.com/api/bridge?tenant=a', false],
    ['https://localhost.example.com/x', 'https://localhost.example.com/x', false],
    ['http://127.0.0.1.example.com/x', 'http://127.0.0.1.example.com/x', false],
  ])('%s is %s', (text, url, isLoopback) => {
    expect(toBridgeUrl(text)).toEqual({ url, isLoopback })
  })

  it.each([
    ['http://localhost:4000/api/bridge', 'http://127.0.0.1:4000/api/bridge', 'localhost:4000'],
    ['localhost:4000', 'http://127.0.0.1:4000/api/bridge', 'localhost:4000'],
    ['https://LOCALHOST./x', 'https://127.0.0.1/x', 'localhost.'],
  ])('%s is replaced, and the replacement is reported', (text, url, rewrittenFrom) => {
    const otherUrl = url.replace('127.0.0.1', '[::1]')
    expect(toBridgeUrl(text)).toEqual({ url, rewrittenFrom, otherUrl, isLoopback: true })
  })

  it('uses either loopback address for a bare port', () => {
    const [url, otherUrl] = ['http://127.0.0.1:4000/api/bridge', 'http://[::1]:4000/api/bridge']
    expect(toBridgeUrl('4000')).toEqual({ url, otherUrl, isLoopback: true })
  })

  it.each(['', 'http://', 'ftp://a/b', 'file:///etc/passwd', 'http://a b/', '99999999'])('rejects %j', (text) => {
    expect(() => toBridgeUrl(text)).toThrow()
  })
})

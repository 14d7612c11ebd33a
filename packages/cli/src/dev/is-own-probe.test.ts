import { describe, expect, it } from 'vitest'
import { isOwnProbe } from './is-own-probe.ts'

describe('a log line of an app shows a check by the watcher itself', () => {
  it.each([
    ['Next.js', ' GET /api/bridge?action=discover 200 in 12ms (compile: 2ms, render: 10ms)'],
    ['Next.js in colour', ' \u001b[32mGET /api/bridge?action=discover\u001b[39m \u001b[32m200\u001b[39m in 400ms'],
    ['Hono, begun', '<-- GET /api/bridge?action=discover'],
    ['Hono, ended', '--> GET /api/bridge?action=health-check \u001b[32m200\u001b[0m 3ms'],
    [
      'Morgan, combined',
      '::1 - - [25/Nov/2026:06:15:15 +0000] "GET /bridge?action=discover HTTP/1.1" 200 512 "-" "undici"',
    ],
    ['Morgan, dev', 'GET /api/bridge?action=discover 200 500.412 ms - 2731'],
    ['Fastify', '{"level":30,"req":{"method":"GET","url":"/api/bridge?action=discover"},"msg":"incoming request"}'],
  ])('if %s logs it', (_who, line) => {
    expect(isOwnProbe(line)).toBe(true)
  })

  it.each([
    ' GET /api/bridge?action=discover 500 in 12ms',
    '--> GET /api/bridge?action=discover \u001b[31m404\u001b[0m 3ms',
    '"GET /bridge?action=discover HTTP/1.1" 401 53',
    ' POST /api/bridge?action=execute&workflowId=order&stepId=mail 200 in 12ms',
    ' GET /api/bridge 200 in 12ms',
    ' GET /?action=discovery 200 in 12ms',
    'GET /orders 200 in 12ms',
    'discover 200',
    '',
  ])('but not in %j', (line) => {
    expect(isOwnProbe(line)).toBe(false)
  })
})

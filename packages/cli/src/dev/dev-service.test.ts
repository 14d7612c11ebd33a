import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startDevService } from './dev-service.ts'

test('says where to put a regenerated key, and starts with it', async ({ onTestFinished }) => {
  const data = mkdtempSync(join(tmpdir(), 'trestle-dev-'))
  onTestFinished(() => rmSync(data, { recursive: true }))
  const first = await startDevService({ port: 0, data })
  const response = await fetch(`${first.url}/v1/environments/api-keys/regenerate`, {
    method: 'POST',
    headers: { authorization: `ApiKey ${first.key}` },
  })
  const { data: keys } = (await response.json()) as { data: [{ key: string }] }
  await first.stop()
  await expect(startDevService({ port: 0, data })).rejects.toMatchObject({
    name: 'CommandError',
    message: expect.stringContaining('was regenerated'),
    fix: expect.stringContaining(join(data, 'development.key')),
  })
  writeFileSync(join(data, 'development.key'), keys[0].key)
  const again = await startDevService({ port: 0, data })
  expect([again.key, again.applicationIdentifier]).toEqual([keys[0].key, first.applicationIdentifier])
  await again.stop()
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { stepTypes } from '@trestle/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { bridgeTools } from './bridge-tools.ts'

/** Serves a workflow with a step of each type, named after its type, and records which steps are previewed. */
async function serveBridge() {
  const previewed: (string | null)[] = []
  const steps = stepTypes.map((type) => ({ stepId: type, type, controls: { schema: {} } }))
  const workflows = [{ workflowId: 'all', payload: { schema: {} }, steps }]
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://bridge')
    const isPreview = searchParams.get('action') === 'preview'
    if (isPreview) previewed.push(searchParams.get('stepId'))
    const reply = isPreview ? { outputs: {}, providers: {}, options: { skip: false }, metadata: {} } : { workflows }
    request.resume()
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const bridgeUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/bridge`
  return { previewed, bridgeUrl }
}

test('preview_step changes nothing: it rejects steps whose handlers run code of the app, and unlisted steps', async () => {
  const { previewed, bridgeUrl } = await serveBridge()
  const place = { access: undefined, bridgeUrl, cwd: '.', signal: new AbortController().signal }
  const tool = bridgeTools.find(({ name }) => name === 'preview_step')
  expect(tool?.annotations.readOnlyHint).toBe(true)
  const rejected: string[] = []
  for (const stepId of [...stepTypes, 'unlisted'])
    await tool?.run({ workflowId: 'all', stepId }, place).catch((error: Error) => rejected.push(error.message))
  expect(rejected).toEqual([
    'preview_step rejects step "custom": the handler of a step.custom runs code of the app.',
    'preview_step rejects step "http_request": the handler of a step.httpRequest runs code of the app.',
    'The step "unlisted" does not exist.',
  ])
  expect(previewed).toEqual(stepTypes.filter((type) => !['custom', 'http_request'].includes(type)))
})

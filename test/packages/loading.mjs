import { writeSync } from 'node:fs'
import { register } from 'node:module'

// Prints the repository's modules that the first call of an action loads, one per line: node loading.mjs ACTION STEP;
// or those that an import loads: node loading.mjs import NAME.

const hooks = `
import { writeSync } from 'node:fs'
export async function load(url, context, next) {
  const [, name] = /packages\\/([\\w-]+\\/dist\\/[\\w/.-]+)\\.js$/.exec(url) ?? []
  const [, library] = /node_modules\\/(liquidjs)\\//.exec(url) ?? []
  if (name ?? library) writeSync(1, (name ?? library).replace(/-[\\w-]{8}$/, '') + '\\n')
  return next(url, context)
}`
register(`data:text/javascript,${encodeURIComponent(hooks)}`)

const [, , action = 'execute', step = 'text'] = process.argv
if (action === 'import') {
  await import(step)
  process.exit(0)
}
const { createBridge, workflow } = await import('@trestle/core')
const { sign } = await import('@trestle/protocol')
const one = workflow('one', async ({ step: start }) => {
  await start.sms('text', () => ({ body: 'x' }))
  await start.email('mail', () => ({ subject: 's', body: '<p>x</p>' }))
  await start.sms('templated', (controls) => ({ body: String(controls['body']) }))
  await start.sms('filtered', (controls) => ({ body: String(controls['body']) }))
})
const bridge = createBridge({ workflows: [one], secretKey: 'sk', strictAuthentication: true })
const templates = { templated: '{{ payload.a }}', filtered: '{{ payload.a | truncate: 5 }}' }
const state = ['templated', 'mail', 'text']
  .filter((id) => id !== step)
  .map((stepId) => ({ stepId, outputs: {}, state: { status: 'completed' } }))
const body = JSON.stringify({ state, controls: templates[step] ? { body: templates[step] } : {} })
const isGet = action === 'discover'
const response = await bridge.fetch(
  new Request(`http://127.0.0.1/?action=${action}&workflowId=one&stepId=${step}`, {
    method: isGet ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', 'service-signature': await sign('sk', isGet ? '{}' : body) },
    ...(!isGet && { body }),
  }),
)
writeSync(2, `${response.status}`)
process.exit(response.status === 200 ? 0 : 1)

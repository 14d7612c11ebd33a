import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { expressFloor, honoFloor } from './floor.mjs'
import { toWorkflows } from './workflows.mjs'

/** The secret shared by all subjects. */
export const secret = 'benchmark-secret-key'

/** The header in which a subject expects the signature. */
export const headerOf = (subject) => (subject === 'peer' ? 'novu-signature' : 'service-signature')

/**
 * Creates an app with the subject mounted at `/api`.
 *
 * @param {{ subject: 'floor' | 'trestle' | 'peer', framework: 'hono' | 'express', which: 'calls' | 'discover' | 'ten' | 'asking', peerFolder: string }} options
 * @returns {Promise<any>} A Hono or Express app.
 */
export async function createApp({ subject, framework, which, peerFolder }) {
  const load = subject === 'peer' ? fromFolder(peerFolder) : (id) => import(id)
  if (framework === 'hono') {
    const { Hono } = await load('hono')
    return new Hono().all('/api', await toHandler({ subject, framework, which, load }))
  }
  const { default: express } = await load('express')
  const app = express()
  if (subject === 'floor') return app.all('/api', ...expressFloor(secret, express))
  if (subject === 'peer') app.use(express.json({ limit: '10mb' }))
  return app.all('/api', await toHandler({ subject, framework, which, load }))
}

async function toHandler({ subject, framework, which, load }) {
  if (subject === 'floor') return honoFloor(secret)
  if (subject === 'peer') {
    const { Client, workflow, serve } = await load(`@novu/framework/${framework}`)
    const client = new Client({ secretKey: secret, strictAuthentication: true, verbose: false })
    return serve({ workflows: toWorkflows(workflow, which), client })
  }
  const { workflow } = await load('@trestle/core')
  const { serve } = await load(`@trestle/${framework}`)
  return serve({ workflows: toWorkflows(workflow, which), secretKey: secret, strictAuthentication: true })
}

function fromFolder(folder) {
  const { resolve } = createRequire(`${folder}/package.json`)
  return (id) => import(pathToFileURL(resolve(id)).href)
}

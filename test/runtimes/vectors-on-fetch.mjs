import { createBridge } from '@trestle/core'
import { vectorWorkflows } from '../../packages/testing/src/conformance/vector-workflows.ts'

// The workflows of the vectors for runtimes that ask a module's `fetch`. It is bundled into one file that imports no
// module of Node; the key is put in then.

const bridge = createBridge({ workflows: vectorWorkflows, secretKey: SECRET_KEY, strictAuthentication: true })

export default { fetch: (request) => bridge.fetch(request) }

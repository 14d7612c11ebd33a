import { createServer } from 'node:http'
import { createBridge, toNodeHandler } from '@trestle/core'
import { vectors, vectorWorkflows } from '@trestle/testing/vectors'

// The workflows of the vectors on node:http.

const bridge = createBridge({ workflows: vectorWorkflows, secretKey: vectors.secretKey, strictAuthentication: true })

createServer(toNodeHandler(bridge)).listen(Number(process.env['PORT']), '127.0.0.1')

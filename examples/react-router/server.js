import { createServer } from 'node:http'
import { createRequestListener } from '@react-router/node'
import * as build from './build/server/index.js'

const port = Number(process.env['PORT'] ?? 4000)

createServer(createRequestListener({ build })).listen(port, () => {
  console.log(`The bridge is at http://localhost:${port}/api/bridge`)
})

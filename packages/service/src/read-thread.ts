import { parentPort } from 'node:worker_threads'
import { createQueryReader, type ReadRequest } from './store/reading/read-query.ts'

const answer = createQueryReader()
parentPort?.on('message', (request: ReadRequest) => parentPort?.postMessage(answer(request)))

import { parentPort, workerData } from 'node:worker_threads'
import { createQueryReader, type ReadQuery } from './store/reading/read-query.ts'

const answer = createQueryReader(String(workerData))
parentPort?.on('message', (query: ReadQuery) => parentPort?.postMessage(answer(query)))

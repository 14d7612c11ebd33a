import { Socket } from 'node:net'
import { workerData } from 'node:worker_threads'
import { processorMs } from './processor-ms.ts'

// A second thread of a process, because the first one may never end its work. Its pipe to the parent process is the
// fifth one of `startProcess`.

const [workId, limitMs] = [0, 1]
const current: BigInt64Array<SharedArrayBuffer> = workerData
const parent = new Socket({ fd: 4 })
parent.resume()
parent.on('error', () => undefined)
// The parent process has ended.
parent.on('close', () => process.kill(process.pid, 'SIGKILL'))

setInterval(() => {
  // Read in this order, because the work may end between both reads: its limit is never taken for the limit of the next work.
  const id = Atomics.load(current, workId)
  const limit = Atomics.load(current, limitMs)
  if (limit !== 0n && processorMs() > limit) parent.write(`${id}\n`)
}, 50)

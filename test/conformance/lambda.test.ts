import { lambdaMounts } from './mounts/lambda.ts'
import { conformance } from './suite.ts'

for (const [index, mount] of lambdaMounts.entries()) conformance(mount, index === 0 ? 'all' : 'transport')

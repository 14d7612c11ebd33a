import fc from 'fast-check'

// The property tests generate the same cases on every machine, so that results only depend on the change, and failures
// can be reproduced. npm run nightly generates other cases each time, and prints their FC_SEED.
fc.configureGlobal({ seed: Number(process.env['FC_SEED'] ?? 20261121) })

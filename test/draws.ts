import fc from 'fast-check'

// The property tests draw the same cases on every machine, so that a change is judged by what it changed and a failure is
// seen again. npm run nightly draws others each time, and says by which FC_SEED.
fc.configureGlobal({ seed: Number(process.env['FC_SEED'] ?? 20261121) })

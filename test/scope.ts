// The scope of a test run. `npm test` is the daily run. `npm run nightly` sets TEST_SCOPE=nightly: it includes the
// files named *.nightly.test.ts, every adapter, database and browser page, and more random cases.

/** Whether all tests run, not only the daily ones. */
export const isNightly: boolean = process.env['TEST_SCOPE'] === 'nightly'

/**
 * Returns the number of random cases of a property test. FC_RUNS replaces both numbers, to search longer in one file.
 *
 * @param daily - The number for the daily run: the test should take less than a second.
 * @param nightly - The number for the nightly run.
 */
export function draws(daily: number, nightly: number): number {
  return Number(process.env['FC_RUNS'] ?? (isNightly ? nightly : daily))
}

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

/**
 * Returns the cases of a table: all of them in the nightly run, and some that are evenly spread over it in the daily run.
 *
 * @param cases - The table, in which neighbors are similar.
 * @param daily - The number of cases in the daily run.
 */
export function someOf<T>(cases: readonly T[], daily: number): readonly T[] {
  if (isNightly || daily >= cases.length) return cases
  return Array.from({ length: daily }, (_, index) => cases[Math.floor((index * cases.length) / daily)] as T)
}

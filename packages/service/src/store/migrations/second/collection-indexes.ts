/** Retention uses these to find expired digest and throttle state; an open digest is in none. */
export const collectionIndexes: readonly string[] = Object.freeze([
  `create index "digests_updatedAt_over" on "digests" ("updatedAt") where "jobId" is null`,
  `create index "throttles_endAt" on "throttles" ("endAt")`,
])

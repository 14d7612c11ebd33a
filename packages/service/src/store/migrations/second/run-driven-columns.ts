/** Runs whose bridge decides the next steps; existing runs finish according to their step list. */
export const runDrivenColumns: readonly string[] = Object.freeze([
  `alter table "workflows" add column "next" smallint not null default 0`,
  `alter table "runs" add column "next" text`,
  `alter table "runs" add column "nextClaim" text`,
  `alter table "runs" add column "nextFailures" smallint not null default 0`,
  `alter table "jobs" add column "handOuts" smallint not null default 0`,
])

/** Links the runs that a step triggers with the step. */
export const childColumns: readonly string[] = Object.freeze([
  `alter table "triggers" add column "parentJobId" text`,
  `alter table "runs" add column "parentRunId" text`,
  `alter table "runs" add column "parentJobId" text`,
  `alter table "runs" add column "isAwaited" smallint not null default 0`,
  `alter table "runs" add column "depth" smallint not null default 0`,
])

/** Finds the trigger of a step, and the runs of a step or a run. */
export const childIndexes: readonly {
  readonly name: string
  readonly on: string
  readonly isUnique?: boolean
}[] = Object.freeze([
  { name: 'triggers_parent_some', on: `"triggers" ("parentJobId") where "parentJobId" is not null`, isUnique: true },
  { name: 'runs_parentRun_some', on: `"runs" ("parentRunId", "id") where "parentRunId" is not null` },
  { name: 'runs_parentJob_some', on: `"runs" ("parentJobId", "id") where "parentJobId" is not null` },
])

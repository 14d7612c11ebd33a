/** Runs whose bridge decides the next steps; existing runs finish according to their step list. */
export const runDrivenColumns: readonly string[] = Object.freeze([
  `alter table "workflows" add column "next" smallint not null default 0`,
  `alter table "runs" add column "next" text`,
  `alter table "runs" add column "nextClaim" text`,
  `alter table "runs" add column "nextFailures" smallint not null default 0`,
  `alter table "jobs" add column "handOuts" smallint not null default 0`,
])

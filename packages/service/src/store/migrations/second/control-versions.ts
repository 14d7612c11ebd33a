/** Creates the table of control values that were saved for steps. */
export const controlVersions: readonly string[] = Object.freeze([
  `create table "stepControlVersions" (
    "id" text not null,
    "environmentId" text not null,
    "workflowId" text not null,
    "stepId" text not null,
    "controls" text not null,
    "by" text,
    "createdAt" bigint not null,
    primary key ("id")
  )`,
  `create index "stepControlVersions_step" on "stepControlVersions" ("workflowId", "stepId", "id")`,
])

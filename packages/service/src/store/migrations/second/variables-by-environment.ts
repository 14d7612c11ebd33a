const columns = '"variableId", "environmentId", "key", "type", "isSecret", "value", "createdAt", "updatedAt"'

/**
 * Gives each environment its own variables, so that one environment can neither see nor block names of another. A
 * variable without any value is copied to every environment. The table keeps its name, to which encrypted values are
 * bound.
 */
export const variablesByEnvironment: readonly string[] = Object.freeze([
  `create table "environmentVariables" (
    "variableId" text not null,
    "environmentId" text not null,
    "key" text not null,
    "type" text not null,
    "isSecret" smallint not null,
    "value" text,
    "createdAt" bigint not null,
    "updatedAt" bigint not null,
    primary key ("variableId", "environmentId"),
    unique ("environmentId", "key")
  )`,
  `insert into "environmentVariables" (${columns})
    select v."id", o."environmentId", v."key", v."type", v."isSecret", o."value", v."createdAt", o."updatedAt"
    from "variables" v join "variableValues" o on o."variableId" = v."id"`,
  `insert into "environmentVariables" (${columns})
    select v."id", e."id", v."key", v."type", v."isSecret", null, v."createdAt", v."updatedAt"
    from "variables" v cross join "environments" e
    where not exists (select 1 from "variableValues" o where o."variableId" = v."id")`,
  'drop table "variableValues"',
  'drop table "variables"',
  'alter table "environmentVariables" rename to "variableValues"',
])

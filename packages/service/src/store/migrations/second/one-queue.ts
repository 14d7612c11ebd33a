/** Finds due work, sorted by due time; excludes work that a process has taken. */
export const oneQueue: readonly string[] = Object.freeze([
  'alter table "queueItems" add column "priority" smallint not null default 1',
  'drop index "queueItems_processId_dueAt"',
  'create index "queueItems_due" on "queueItems" ("priority", "dueAt") where "processId" is null',
])

const toItem = `insert into "queueItems" ("id", "kind", "subject", "lane", "dueAt", "attempts", "createdAt")
  select "id"::text, "data"->>'kind', "data"->>'id', "data"->>'lane', (extract(epoch from "start_after") * 1000)::bigint,
    coalesce(("data"->>'attempts')::bigint, 0), (extract(epoch from "created_on") * 1000)::bigint`

/**
 * Moves work out of the tables of pg-boss, which earlier versions used. Processes of such a version may still run: work
 * that they add is stored in the new table, and work that they hold is moved when they end. Does nothing without
 * pg-boss.
 */
export const queueOfPgBoss: readonly string[] = Object.freeze([
  'alter table "queueItems" set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)',
  `do $migration$
begin
  if to_regclass('"pgboss"."job"') is null then
    drop table "queueClaims";
    return;
  end if;
  create function "queueOfPgBoss_add"() returns trigger language plpgsql as $body$
    begin
      ${toItem} from (select new.*) as "job";
      return null;
    end $body$;
  create trigger "trestle_add" before insert on "pgboss"."job"
    for each row when (new."name" = 'trestle') execute function "queueOfPgBoss_add"();
  create function "queueOfPgBoss_leave"() returns trigger language plpgsql as $body$
    begin
      with "claims" as (delete from "queueClaims" where "processId" = old."id" returning "itemId"),
        "job" as (delete from "pgboss"."job" where "name" = 'trestle' and "id" in (select "itemId"::uuid from "claims") returning *)
      ${toItem} from "job";
      return old;
    end $body$;
  create trigger "trestle_leave" after delete on "processes" for each row execute function "queueOfPgBoss_leave"();
  delete from "queueClaims" where "processId" not in (select "id" from "processes");
  with "job" as (delete from "pgboss"."job" where "name" = 'trestle' and ("state" < 'active'
    or ("state" = 'active' and "id"::text not in (select "itemId" from "queueClaims"))) returning *)
  ${toItem} from "job";
end $migration$`,
])

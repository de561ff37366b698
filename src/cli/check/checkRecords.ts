// SPDX-License-Identifier: Apache-2.0
// The records of operators: each can be read, is valid, and refers to records that exist. And API keys.
import type { TSchema } from 'typebox';
import { type RecordTableName, recordBodies } from '../../adapters/sql/maintenance/storedRows.ts';
import type { SecretBox } from '../../adapters/sql/secrets/secretBox.ts';
import type { Sql } from '../../adapters/sql/sql.ts';
import { sourcesIn } from '../../channels/demandFaults.ts';
import { describeError } from '../../errors.ts';
import { schemaFaults } from '../../http/admin/request/validate.ts';
import { channelBody } from '../../http/contract/channelContract.ts';
import { readOnlyFields } from '../../http/contract/commonContract.ts';
import { playlistBody } from '../../http/contract/playlistContract.ts';
import { isScope } from '../../platform/access/rules/scope.ts';
import { adSourceBody } from '../../platform/adSources/contract/adSourceContract.ts';
import { openAdSource } from '../../platform/adSources/store/sqlAdSources.ts';
import { alertRuleBody } from '../../platform/alerts/contract/alertContract.ts';
import { openWebhook } from '../../platform/alerts/store/sqlWebhooks.ts';
import { systemBody } from '../../platform/systems/contract/systemContract.ts';
import { openSystem } from '../../platform/systems/store/sqlSystems.ts';
import { type Finding, failed, ok, warning } from '../doctor/finding.ts';

const MAX_SHOWN = 20;

/** The first findings, and how many more there are; `none` if there are none. */
function bounded(findings: readonly Finding[], none: Finding): Finding[] {
  const [first = none] = findings;
  const rest = findings.length - MAX_SHOWN;
  if (rest <= 0) return findings.length === 0 ? [none] : [...findings];
  const text = `${rest} more problems like these`;
  return [...findings.slice(0, MAX_SHOWN), warning(first.subject, text, 'Correct the first ones, and check again.')];
}

type Fields = Readonly<Record<string, unknown>>;

/** Webhooks are checked when they are sent: their schema is that of requests, without what Midroll adds. */
const schemas: Readonly<Partial<Record<RecordTableName, TSchema>>> = {
  alert_rules: alertRuleBody,
  channels: channelBody,
  playlists: playlistBody,
  systems: systemBody,
  ad_sources: adSourceBody,
};

const nameOf = (table: RecordTableName, tenant: string, id: string): string =>
  `${table.slice(0, -1).replace('_', ' ')} "${id}" of tenant "${tenant}"`;

const withoutReadOnly = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !readOnlyFields.includes(name as never)));

/** @returns why the record is invalid under the rules for requests; undefined if it is valid */
function faultIn(table: RecordTableName, fields: Fields): string | undefined {
  const schema = schemas[table];
  const [fault] = schema === undefined ? [] : schemaFaults(schema, withoutReadOnly(fields));
  return fault && `${fault.dataPath.slice(1).replaceAll('/', '.') || 'it'} ${fault.message}`;
}

const readJson = (_box: SecretBox, body: string): Fields => JSON.parse(body);
const readers: Readonly<Record<RecordTableName, (box: SecretBox, body: string) => Fields>> = {
  channels: readJson,
  playlists: readJson,
  alert_rules: readJson,
  systems: openSystem,
  ad_sources: openAdSource,
  webhooks: openWebhook,
};

/** The records that can be read, by tenant and id. */
type Known = ReadonlyMap<string, Fields>;

const keyOf = (tenant: string, id: string): string => `${tenant}/${id}`;

export async function checkRecords(store: Sql, box: SecretBox): Promise<Finding[]> {
  const findings: Finding[] = [];
  const read = async (table: RecordTableName): Promise<Known> => {
    const known = new Map<string, Fields>();
    for await (const { tenant, id, body } of recordBodies(store, table)) {
      const name = nameOf(table, tenant, id);
      try {
        const fields = readers[table](box, body);
        known.set(keyOf(tenant, id), { ...fields, tenant, id });
        const fault = faultIn(table, fields);
        if (fault !== undefined)
          findings.push(warning('Records', `${name} is invalid: ${fault}`, 'Correct it in the console or with PATCH.'));
      } catch (error) {
        findings.push(
          failed('Records', `${name} cannot be read: ${describeError(error)}`, 'Restore a backup, or create it again.'),
        );
      }
    }
    return known;
  };
  const [systems, playlists, channels] = [await read('systems'), await read('playlists'), await read('channels')];
  const [rules, webhooks, sources] = [await read('alert_rules'), await read('webhooks'), await read('ad_sources')];
  findings.push(
    ...missingReferences('channels', channels, { playlistId: playlists, systemId: systems }),
    ...missingReferences('channels', withSources(channels), { adSteps: sources }),
    ...missingReferences('alert_rules', rules, { channels, webhooks }),
  );
  const valid = `${channels.size} channels, ${playlists.size} playlists, ${systems.size} systems are valid`;
  return bounded(findings, ok('Records', valid));
}

/** Channels whose `adSteps` are the ids of the ad sources in them. */
const withSources = (channels: Known): Known =>
  new Map([...channels].map(([key, one]) => [key, { ...one, adSteps: sourcesIn(one.adSteps).map(({ id }) => id) }]));

/** Fields with an id, or with a list of them. */
function missingReferences(
  table: RecordTableName,
  records: Known,
  targets: Readonly<Record<string, Known>>,
): Finding[] {
  return [...records.values()].flatMap((record) =>
    Object.entries(targets).flatMap(([field, known]) => {
      const { tenant, id } = record as { tenant: string; id: string };
      return [record[field]].flat().flatMap((referred) => {
        if (typeof referred !== 'string' || known.has(keyOf(tenant, referred))) return [];
        const verb = Array.isArray(record[field]) ? 'contains' : 'is';
        const text = `${field} of ${nameOf(table, tenant, id)} ${verb} "${referred}", which does not exist`;
        return [warning('Records', text, `Create it, or change ${field}.`)];
      });
    }),
  );
}

function channelsIn(text: string | null): readonly string[] | undefined {
  try {
    const ids: unknown = text === null ? [] : JSON.parse(text);
    return Array.isArray(ids) && ids.every((id) => typeof id === 'string') ? ids : undefined;
  } catch {
    return undefined;
  }
}

/** API keys: their rights can be read, and the channels that they are restricted to exist. */
export async function checkKeys({ db }: Sql): Promise<Finding[]> {
  const keys = await db.selectFrom('api_keys').select(['id', 'tenant', 'scope', 'channels', 'expires_at']).execute();
  const findings: Finding[] = [];
  for (const { id, tenant, scope, channels: text, expires_at } of keys) {
    const name = `key "${id}" of tenant "${tenant}"`;
    const channels = channelsIn(text);
    const isReadable =
      (scope === null || isScope(scope)) && (expires_at === null || !Number.isNaN(Date.parse(expires_at)));
    if (channels === undefined || !isReadable) {
      findings.push(failed('Keys', `${name} has rights that cannot be read`, 'Revoke it with "midroll keys revoke".'));
      continue;
    }
    if (channels.length === 0) continue;
    const found = await db
      .selectFrom('channels')
      .select('id')
      .where('tenant', '=', tenant)
      .where('id', 'in', channels)
      .execute();
    const existing = new Set(found.map((channel) => channel.id));
    for (const missing of channels.filter((one) => !existing.has(one)))
      findings.push(
        warning(
          'Keys',
          `${name} is restricted to channel "${missing}", which does not exist`,
          'Revoke it, or it can access a channel that is created with this id.',
        ),
      );
  }
  return bounded(findings, ok('Keys', `${keys.length} keys can be read`));
}
